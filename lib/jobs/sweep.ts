// Sends overdue jobs again: their message was lost, or their worker died.
import { inParallel } from "../concurrency.ts";
import { config } from "../config.ts";
import type { JobKind } from "../grants.ts";
import { log } from "../log.ts";
import { type DueJob, duePartitions } from "../store/job.ts";
import { toSweep } from "./list.ts";
import { unsentOf } from "./queue.ts";
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

/**
 * The partitions that a run at `now` (ms since the epoch) reads, in order. Two runs in successive minutes read all. Each
 * run begins with another group of workspaces, so that no group is always the last one.
 */
export function partitionsAt(now: number): string[] {
  const run = Math.floor(now / minuteMs);
  const own = duePartitions.filter((_, index) => index % runsForAll === run % runsForAll);
  const first = Math.floor(run / runsForAll) % own.length;
  return [...own.slice(first), ...own.slice(0, first)];
}

/**
 * Sends the overdue jobs of these partitions: one page of each, then the next page of each partition with more jobs. So
 * a workspace with many jobs does not take the time of other workspaces. Stops at `until` (ms since the epoch). Throws
 * at the end when a partition could not be swept.
 */
export async function sweep(partitions: readonly string[], until: number): Promise<void> {
  const before = Date.now() - config.sweepGraceSeconds() * 1_000;
  const unreachable = new Set<JobKind>();
  const failures: unknown[] = [];
  let open = partitions.map((due) => ({ due, pages: toSweep(due, before) }));
  while (open.length > 0) {
    const hasMore = await inParallel(open, partitionsInFlight, async ({ due, pages }) => {
      if (Date.now() > until) return false;
      try {
        const { value: jobs } = await pages.next();
        if (jobs) await sendAgain(jobs, before, unreachable);
        return jobs !== undefined;
      } catch (cause) {
        log("error", "A partition of the jobs could not be swept; the next sweep tries again.", { due, cause });
        failures.push(cause);
        return false;
      }
    });
    open = open.filter((_, index) => hasMore[index]);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Postpones the overdue jobs, then sends them, so that no concurrent sweeper sends them too. A job that was not sent is
 * resumed: the next sweep sends it. After such a failure, this sweep sends nothing more to the same queue.
 */
async function sendAgain(jobs: readonly DueJob[], before: number, unreachable: Set<JobKind>): Promise<void> {
  const now = Date.now();
  const next = (job: DueJob) => now + postponedMs(job.sweeps);
  const isPostponed = await inParallel(jobs, jobsInFlight, (job) =>
    isWritten(job, async () => {
      if (job.state === "failed") return false;
      if (job.dueAt < before) return !unreachable.has(job.kind) && Job.postpone(job, next(job));
      if (job.state === "waiting") await Job.look(job);
      return false;
    }),
  );
  const unsent = await unsentOf(
    jobs.filter((_, index) => isPostponed[index]).map((job) => ({ ...job, dueAt: 0, job })),
  );
  for (const { kind } of unsent) unreachable.add(kind);
  await inParallel(unsent, jobsInFlight, ({ job }) => isWritten(job, () => Job.resume(job, next(job))));
}

/** One job that cannot be written must not end the sweep. */
async function isWritten(job: DueJob, write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (cause) {
    log("error", "An overdue job could not be written; a later sweep tries again.", { job: job.id, cause });
    return false;
  }
}
