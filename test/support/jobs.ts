import { eventsIn } from "../../lib/jobs/outbox.ts";
import * as Job from "../../lib/jobs/store.ts";
import type { RunResult } from "../../lib/jobs/worker.ts";
import type { DueJob, Job as JobItem } from "../../lib/store/job.ts";
import { openJobs } from "./scan.ts";

/** Claims a job that is due. */
export async function claimed(id: string, leaseMs = 60_000): Promise<Job.Running> {
  const claim = await Job.claim(id, leaseMs);
  if (claim.outcome !== "claimed") throw new Error(`The job was not claimed: ${claim.outcome}.`);
  return claim.job;
}

/** The next run of a job, as the result of a run asks for it. */
export function nextRunOf(result: RunResult): { payload: JobItem["payload"]; delaySeconds: number } {
  if (result === "done" || !result.again) throw new Error("The job is done too early.");
  return result.again;
}

/** The workspace's waiting and running jobs of one kind that are due within a day. */
export async function jobsOf({ apiKey }: { apiKey: string }, kind: JobItem["kind"]): Promise<JobItem[]> {
  const isDue = ({ state, dueAt }: DueJob) => state !== "failed" && dueAt < Date.now() + 86_400_000;
  const due = (await openJobs()).filter((job) => job.kind === kind && job.workspace === apiKey && isDue(job));
  const jobs = await Promise.all(due.map(async ({ id }) => (await Job.get(id)) as JobItem));
  return jobs.map((job) => ({
    ...job,
    payload: { ...job.payload, ...("eventsJson" in job.payload && { events: eventsIn(job.payload) }) },
  }));
}
