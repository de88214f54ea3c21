import { hash } from "node:crypto";
import { type Job, newJob } from "../jobs/job.ts";

/** The job that makes an endpoint's deliveries. There is one for each endpoint, under an id of its own. */
export function drainJob(workspace: string, endpointId: string): Job {
  const id = `drain-${hash("sha256", JSON.stringify([workspace, endpointId]), "base64url")}`;
  return { ...newJob("drain", workspace, { endpointId }), id };
}
