import { inParallel } from "../../lib/concurrency.ts";
import { config } from "../../lib/config.ts";
import { allShards } from "../../lib/dynamodb/key.ts";
import { jobKinds } from "../../lib/grants.ts";
import type { DueJob } from "../../lib/jobs/job.ts";
import { scheduleLambda } from "../../lib/jobs/lambda.ts";
import { sendPointers } from "../../lib/jobs/queue.ts";
import * as Job from "../../lib/jobs/store.ts";
import { scheduled } from "../../lib/jobs/worker.ts";
import { log } from "../../lib/log.ts";

/** Time until the next sweep of the same job: 10 minutes, doubled after each sweep, at most a day. */
const postponedMs = (sweeps: number) => Math.min(24 * 3_600_000, 600_000 * 2 ** sweeps);
const jobsPerShard = 100;

/** Returns false when the job has changed, or could not be postponed. One such job must not end the sweep. */
async function postpone(job: DueJob): Promise<boolean> {
  return Job.postpone(job, Date.now() + postponedMs(job.sweeps)).catch((cause) => {
    log("error", "A job could not be postponed; the next sweep tries again.", { job: job.id, cause });
    return false;
  });
}

export const sweeper = scheduled({
  name: "sweeper",
  summary: "Sends overdue jobs again: their message was lost, or their worker died.",
  everyMinutes: 1,
  grants: ["table:read", "table:due", "table:write", ...jobKinds.map((kind) => `queue:${kind}` as const)],

  async run(until) {
    const before = Date.now() - config.sweepGraceSeconds() * 1_000;
    await inParallel(allShards, 4, async (shard) => {
      for (let jobs = await Job.overdue(shard, before, jobsPerShard); jobs.length > 0 && Date.now() < until; ) {
        // Postpones before it sends, so that neither this loop nor a concurrent sweeper sends a job twice.
        const postponed = await inParallel(jobs, 8, postpone);
        await sendPointers(jobs.filter((_, index) => postponed[index]).map((job) => ({ ...job, dueAt: 0 })));
        jobs = jobs.length < jobsPerShard ? [] : await Job.overdue(shard, before, jobsPerShard);
      }
    });
  },
});
export const handler = scheduleLambda(sweeper);
