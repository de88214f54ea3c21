import { type Job, newJob } from "../store/job.ts";

/**
 * An outbox job without events, which starts runs of these endpoints. Write it in the transaction that makes their
 * deliveries due.
 */
export function wakeJob(workspace: string, endpointIds: readonly string[]): Job {
  return newJob("fanout", workspace, { events: [], createdAt: new Date().toISOString(), wake: endpointIds });
}
