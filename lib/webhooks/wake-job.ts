import { type Job, newJob } from "../jobs/job.ts";

/**
 * An outbox job without events: it wakes the runs of these endpoints. Written in the transaction of their new
 * deliveries.
 */
export function wakeJob(workspace: string, endpointIds: readonly string[]): Job {
  return newJob("fanout", workspace, { events: [], createdAt: new Date().toISOString(), wake: endpointIds });
}
