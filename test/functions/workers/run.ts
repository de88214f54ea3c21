// Runs a worker's source the way Lambda does, on jobs of the real table.
import { newJob } from "../../../lib/jobs.ts";
import { commit } from "../../../lib/store/commit.ts";
import type { QueueWorker } from "../../../lib/worker.ts";
import { queueLambda } from "../../../lib/worker-lambda.ts";
import { contextOf } from "../../support/call.ts";

/** Stores a job; its id. */
export async function storeJob(...args: Parameters<typeof newJob>): Promise<string> {
  const job = newJob(...args);
  await commit([], { jobs: [job] });
  return job.id;
}

/** Delivers messages with these job ids; the ids of those that are to come again. */
export async function deliver(worker: QueueWorker, ids: readonly string[], remainingMs = 60_000): Promise<string[]> {
  const Records = ids.map((body) => ({ messageId: body, body }));
  const answer = await queueLambda(worker)({ Records } as never, contextOf(worker.name, remainingMs) as never);
  return answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}
