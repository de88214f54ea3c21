// Divides a large fan-out into a few parallel jobs. Each job has some shards of the members. To run, a job needs a slot
// of its workspace, so one workspace cannot use all workers.
import { hash } from "node:crypto";
import { shardCount } from "../dynamodb/key.ts";
import { wake } from "../jobs/wake.ts";
import { type Job, newJob } from "../store/job.ts";
import { slotCounts } from "../store/waiting-slot.ts";
import type { Cursors } from "./audience.ts";

/**
 * Steps of one run: 20,000 users, about ten seconds. A fan-out that has not ended then is large: it is divided, and each
 * further run holds a slot. Short runs leave the worker to jobs of other workspaces.
 */
export const stepsOfRun = 20;

export type Progress = {
  /** The sources of the audience that remain. Absent: no step is done yet. */
  cursors?: Cursors;
  /** Steps so far. */
  steps?: number;
  /** A part of a divided fan-out, which is never divided again. */
  isPart?: true;
};

const openShards = (cursors: Cursors) =>
  cursors.flatMap((after, source) => (after !== null && source < shardCount ? [source] : []));

export function isLarge({ steps = 0 }: Progress): boolean {
  return steps >= stepsOfRun;
}

export function isDivisible({ isPart, cursors = [], ...rest }: Progress): boolean {
  return isLarge(rest) && !isPart && openShards(cursors).length > 1;
}

/**
 * Creates the jobs for the shards that have not ended. Returns the rest for this job: the other sources. The ids of the
 * jobs are derived, so a run that repeats a division after a crash creates no further jobs.
 */
export async function split<P extends Progress>({ id, workspace }: Job, rest: P): Promise<P> {
  const { cursors = [] } = rest;
  const shards = openShards(cursors);
  const only = (isKept: (source: number) => boolean) => cursors.map((after, source) => (isKept(source) ? after : null));
  const parts = Array.from({ length: Math.min(slotCounts.notify, shards.length) }, (_, part) =>
    shards.filter((_shard, index) => index % slotCounts.notify === part),
  );
  const jobs = parts.map((own, part) => {
    const job = newJob("notify", workspace, { ...rest, isPart: true, cursors: only((source) => own.includes(source)) });
    return { ...job, id: `notify-${hash("sha256", JSON.stringify([id, "part", part]), "base64url")}` };
  });
  await wake(jobs);
  return { ...rest, isPart: true, cursors: only((source) => source >= shardCount) };
}
