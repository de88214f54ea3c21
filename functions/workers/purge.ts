import { type Erasure, erase, type Range } from "../../lib/deletion/erase-user.ts";
import { dropJobs, emptyPartition } from "../../lib/deletion/purge.ts";
import { queueLambda } from "../../lib/jobs/lambda.ts";
import type { Job } from "../../lib/jobs/queue.ts";
import { worker } from "../../lib/jobs/worker.ts";
import * as Blob from "../../lib/store/blob.ts";

/** After this, no call that read a document's pointer before its deletion can still be writing under its uid. */
const secondPassSeconds = 60;

/** Either partitions to empty, of a workspace with its jobs and files, or a user to erase; the rest says how far that is. */
interface Payload extends Record<string, unknown> {
  partitions?: string[];
  withJobs?: boolean;
  erase?: Erasure;
  /** Ranges that this pass has still to walk. */
  stack?: Range[];
  /** Whether this pass has found anything in its runs before. */
  found?: boolean;
  secondPassAt?: number;
}

/** One run of a pass: `rest` is where its time ended before it did. */
type Pass = { found: boolean; rest?: Payload };

export const purge = worker({
  name: "purge",
  jobs: "purge",
  summary:
    "Removes what hung from deleted documents, locations, workspaces and users, then looks again for what raced it.",
  grants: [
    "table:read",
    "table:due",
    "table:write",
    "table:delete",
    "table:batch",
    "file:list",
    "file:delete",
    "queue:purge",
  ],

  async run(job, until) {
    const payload = job.payload as Payload;
    // A message can come twice, and its copy at once.
    const early = Number(payload.secondPassAt ?? 0) - Date.now();
    if (early > 0) return { again: { payload, delaySeconds: Math.ceil(early / 1_000) } };
    const { found, rest } = payload.erase ? await erasing(job, payload, until) : await emptying(job, payload, until);
    if (rest) return { again: { payload: rest, delaySeconds: 0 } };
    if (payload.secondPassAt && !found) return "done";
    const { stack: _stack, found: _found, ...task } = payload;
    const secondPassAt = Date.now() + secondPassSeconds * 1_000;
    return { again: { payload: { ...task, secondPassAt }, delaySeconds: secondPassSeconds } };
  },
});
export const handler = queueLambda(purge);

async function emptying(job: Job, { secondPassAt: _, ...task }: Payload, until: number): Promise<Pass> {
  let found = false;
  if (task.withJobs) {
    found = await dropJobs(job);
    found = (await Blob.removeAll(job.workspace)) || found;
  }
  for (const pk of task.partitions ?? []) {
    const emptied = await emptyPartition(job.workspace, pk, until);
    found ||= emptied.found;
    if (!emptied.isDone) return { found, rest: task };
  }
  return { found };
}

async function erasing({ workspace }: Job, payload: Payload, until: number): Promise<Pass> {
  const { stack, ...step } = await erase(workspace, payload.erase as Erasure, payload.stack, until);
  const found = step.found || payload.found === true;
  return { found, ...(stack && { rest: { ...payload, stack, found } }) };
}
