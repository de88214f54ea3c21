import { hash } from "node:crypto";
import { type Job, newJob } from "../store/job.ts";
import type { EndpointRef } from "../store/webhooks/webhook-endpoint.ts";

/** The job that sends an endpoint's deliveries. Its id is a hash of the endpoint's, so an endpoint has one such job. */
export function drainJob({ workspace, endpointId }: EndpointRef): Job {
  const id = `drain-${hash("sha256", JSON.stringify([workspace, endpointId]), "base64url")}`;
  return { ...newJob("drain", workspace, { endpointId }), id };
}

/**
 * An outbox job without events, which starts runs of these endpoints. Write it in the transaction that makes their
 * deliveries due.
 */
export function wakeJob(workspace: string, endpointIds: readonly string[]): Job {
  return newJob("fanout", workspace, { events: [], createdAt: new Date().toISOString(), wake: endpointIds });
}
