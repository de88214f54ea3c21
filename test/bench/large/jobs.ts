// Runs a workspace's jobs with the bundles of the workers until all are done. It advances the clock instead of waiting.
import { listed } from "../../../lib/jobs/list.ts";
import { handlerOf } from "../../support/bundles.ts";
import { capturedLines } from "../../support/log-lines.ts";

const dayMs = 86_400_000;
/** The time that a worker has for one run. */
const runMs = 60_000;

const now = Date.now;
let aheadMs = 0;
Date.now = () => now() + aheadMs;

/** `kinds`: only these jobs. */
export async function runJobs(workspace: string, kinds?: readonly string[]): Promise<void> {
  for (;;) {
    const open = (await Array.fromAsync(listed(workspace))).flat();
    const wanted = open.filter(({ kind }) => kinds === undefined || kinds.includes(kind));
    const jobs = wanted.filter(({ state, dueAt }) => state !== "failed" && dueAt < Date.now() + dayMs);
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
  await handler({ Records: [{ messageId: id, body: id }] }, context);
  const failed = capturedLines()
    .map((line) => JSON.parse(line))
    .find(({ job, cause }) => job === id && cause);
  if (failed) throw new Error(`A run of ${worker} failed.`, { cause: failed.cause });
}
