// The jobs that a workspace has waiting or running.
import type { Job as JobItem } from "../../lib/jobs/queue.ts";
import * as Job from "../../lib/jobs/store.ts";
import { shardCount } from "../../lib/store/keys.ts";

/** Jobs of one kind that are neither done nor failed, due within a day. */
export async function jobsOf({ apiKey }: { apiKey: string }, kind: JobItem["kind"]): Promise<JobItem[]> {
  const shards = Array.from({ length: shardCount }, (_, shard) => Job.overdue(shard, Date.now() + 86_400_000, 10_000));
  const due = (await Promise.all(shards)).flat().filter((job) => job.kind === kind && job.workspace === apiKey);
  return Promise.all(due.map(async ({ id }) => (await Job.get(id)) as JobItem));
}
