// Sends overdue jobs again: their message was lost, or their worker died.
import { inParallel } from "../concurrency.ts";
import { config } from "../config.ts";
import { log } from "../log.ts";
import { type DueJob, duePartitions } from "./job.ts";
import { toSweep } from "./list.ts";
import { sendPointers } from "./queue.ts";
import * as Job from "./store.ts";

/** Time until the next sweep of the same job: 10 minutes, doubled after each sweep, at most a day. */
const postponedMs = (sweeps: number) => Math.min(24 * 3_600_000, 600_000 * 2 ** sweeps);

/**
 * Runs of the sweeper that together read all partitions. A query of an empty partition costs half a unit, so a sweep of
 * all 256 each minute would cost $0.70 a month.
 */
const runsForAll = 2;
const minuteMs = 60_000;
const partitionsInFlight = 8;
const jobsInFlight = 8;

/** The partitions that a run at `now` (ms since the epoch) reads. Two runs in successive minutes read all. */
export function partitionsAt(now: number): string[] {
  return duePartitions.filter((_, index) => index % runsForAll === Math.floor(now / minuteMs) % runsForAll);
}

/** Sends the overdue jobs of these partitions. Stops at `until` (ms since the epoch). */
export async function sweep(partitions: readonly string[], until: number): Promise<void> {
  const before = Date.now() - config.sweepGraceSeconds() * 1_000;
  await inParallel(partitions, partitionsInFlight, async (due) => {
    for await (const jobs of toSweep(due, before)) {
      const isSwept = await inParallel(jobs, jobsInFlight, (job) => isPostponed(job, before));
      await sendPointers(jobs.filter((_, index) => isSwept[index]).map((job) => ({ ...job, dueAt: 0 })));
      if (Date.now() > until) return;
    }
  });
}

/**
 * Returns true when the job was overdue. It is postponed before it is sent, so that no concurrent sweeper sends it too.
 * One job that cannot be postponed must not end the sweep.
 */
async function isPostponed(job: DueJob, before: number): Promise<boolean> {
  try {
    if (job.state === "failed") return false;
    if (job.dueAt < before) return await Job.postpone(job, Date.now() + postponedMs(job.sweeps));
    if (job.state === "waiting") await Job.look(job);
    return false;
  } catch (cause) {
    log("error", "A job could not be postponed; the next sweep tries again.", { job: job.id, cause });
    return false;
  }
}
