// The waiting and running jobs of a workspace.
import { allShards } from "../../lib/dynamodb/key.ts";
import type { Job as JobItem } from "../../lib/jobs/job.ts";
import * as Job from "../../lib/jobs/store.ts";

/** Jobs of one kind that are neither done nor failed, due within a day. */
export async function jobsOf({ apiKey }: { apiKey: string }, kind: JobItem["kind"]): Promise<JobItem[]> {
  const shards = allShards.map((shard) => Job.overdue(shard, Date.now() + 86_400_000, 10_000));
  const due = (await Promise.all(shards)).flat().filter((job) => job.kind === kind && job.workspace === apiKey);
  return Promise.all(due.map(async ({ id }) => (await Job.get(id)) as JobItem));
}
