// Divides a large fan-out: one job for each shard of the members. The jobs run in parallel.
import { hash } from "node:crypto";
import { shardCount } from "../dynamodb/key.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { wake } from "../jobs/wake.ts";
import type { Cursors } from "./audience.ts";

/** Steps that a job makes alone: 20,000 users, about ten seconds. Smaller fan-outs need no further job. */
const stepsAlone = 20;

export type Progress = {
  /** The sources of the audience that remain. Absent: no step is done yet. */
  cursors?: Cursors;
  /** Steps so far. */
  steps?: number;
};

const openShards = (cursors: Cursors) =>
  cursors.flatMap((after, source) => (after !== null && source < shardCount ? [source] : []));

/** Whether the fan-out is large. A job of one shard is never divided again. */
export function isLarge({ steps = 0, cursors = [] }: Progress): boolean {
  return steps >= stepsAlone && openShards(cursors).length > 1;
}

/**
 * Creates a job for each shard that has not ended, and returns what is left for this job: the other sources. The ids of
 * the jobs are derived, so a run that repeats a division after a crash creates no others.
 */
export async function split<P extends Progress>({ id, workspace }: Job, rest: P): Promise<P> {
  const { cursors = [] } = rest;
  const shards = openShards(cursors);
  const only = (isKept: (source: number) => boolean) => cursors.map((after, source) => (isKept(source) ? after : null));
  const jobs = shards.map((shard) => {
    const job = newJob("notify", workspace, { ...rest, cursors: only((source) => source === shard) });
    return { ...job, id: `notify-${hash("sha256", JSON.stringify([id, shard]), "base64url")}` };
  });
  await wake(jobs);
  return { ...rest, cursors: only((source) => source >= shardCount) };
}
