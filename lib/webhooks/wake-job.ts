import { type Job, newJob } from "../jobs/job.ts";

/** An outbox job without events. It starts runs of these endpoints. Write it with the change that makes them due. */
export function wakeJob(workspace: string, endpointIds: readonly string[]): Job {
  return newJob("fanout", workspace, { events: [], createdAt: new Date().toISOString(), wake: endpointIds });
}
