import { type Job, newJob } from "../jobs/queue.ts";

/** The outbox's job without events: wakes the runs of these endpoints. Is written with what they have to look at. */
export function wakeJob(workspace: string, endpointIds: readonly string[]): Job {
  return newJob("fanout", workspace, { events: [], createdAt: new Date().toISOString(), wake: endpointIds });
}
