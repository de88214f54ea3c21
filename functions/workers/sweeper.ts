import { inParallel } from "../../lib/concurrency.ts";
import { config } from "../../lib/config.ts";
import { jobKinds } from "../../lib/grants.ts";
import { scheduleLambda } from "../../lib/jobs/lambda.ts";
import { sendPointers } from "../../lib/jobs/queue.ts";
import * as Job from "../../lib/jobs/store.ts";
import { scheduled } from "../../lib/jobs/worker.ts";
import { shardCount } from "../../lib/store/keys.ts";

/** How long a job that was sent again is left alone: 10 minutes, doubling to a day. */
const postponedMs = (sweeps: number) => Math.min(24 * 3_600_000, 600_000 * 2 ** sweeps);
const jobsPerShard = 100;

export const sweeper = scheduled({
  name: "sweeper",
  summary: "Sends the jobs again that are overdue: their message was lost, or their worker.",
  everyMinutes: 1,
  grants: ["table:read", "table:due", "table:write", ...jobKinds.map((kind) => `queue:${kind}` as const)],

  async run(until) {
    const before = Date.now() - config.sweepGraceSeconds() * 1_000;
    const shards = Array.from({ length: shardCount }, (_, shard) => shard);
    await inParallel(shards, 4, async (shard) => {
      for (let jobs = await Job.overdue(shard, before, jobsPerShard); jobs.length > 0 && Date.now() < until; ) {
        // Moved on first, sent second: one send a job and grace, however many wait and however many sweepers run.
        const moved = await inParallel(jobs, 8, (job) => Job.postpone(job, Date.now() + postponedMs(job.sweeps)));
        await sendPointers(jobs.filter((_, index) => moved[index]).map((job) => ({ ...job, dueAt: 0 })));
        jobs = jobs.length < jobsPerShard ? [] : await Job.overdue(shard, before, jobsPerShard);
      }
    });
  },
});
export const handler = scheduleLambda(sweeper);
