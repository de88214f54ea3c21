// Runs a workspace's jobs with the bundles of the workers until all are done. It advances the clock instead of waiting.
import { allShards } from "../../../lib/dynamodb/key.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { handlerOf } from "../../support/bundles.ts";
import { takeLines } from "../log-lines.ts";

const dayMs = 86_400_000;
/** The time that a worker has for one run. */
const runMs = 60_000;

const now = Date.now;
let aheadMs = 0;
Date.now = () => now() + aheadMs;

export async function runJobs(workspace: string): Promise<void> {
  for (;;) {
    const shards = allShards.map((shard) => Job.overdue(shard, Date.now() + dayMs, 100));
    const jobs = (await Promise.all(shards)).flat().filter((job) => job.workspace === workspace);
    if (jobs.length === 0) return;
    for (const job of jobs.toSorted((one, other) => one.dueAt - other.dueAt)) {
      aheadMs += Math.max(0, job.dueAt - Date.now());
      await run(job.kind, job.id);
    }
  }
}

async function run(worker: string, id: string): Promise<void> {
  const handler = await handlerOf(worker);
  const endsAt = Date.now() + runMs;
  const context = { getRemainingTimeInMillis: () => endsAt - Date.now() };
  const reply = (await handler({ Records: [{ messageId: id, body: id }] }, context)) as {
    batchItemFailures: object[];
  };
  if (reply.batchItemFailures.length > 0) {
    throw new Error(`A run of ${worker} failed.`, { cause: takeLines().find(({ cause }) => cause)?.cause });
  }
}
