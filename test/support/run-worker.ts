// Runs a worker's source with the event that Lambda would send, on jobs in the table.
import { expect } from "vitest";
import { workers } from "../../infra/deployables.ts";
import type { JobKind } from "../../lib/grants.ts";
import { commit } from "../../lib/jobs/commit.ts";
import type { QueueWorker } from "../../lib/jobs/worker.ts";
import { queueLambda } from "../../lib/jobs/worker-lambda.ts";
import { newJob } from "../../lib/store/job.ts";
import { contextOf } from "./call.ts";
import { inContainer } from "./exact/containers.ts";
import { capturedLines } from "./log-lines.ts";

/** The worker of the jobs of this kind. */
export const workerOf = (kind: JobKind) =>
  workers.find((each): each is QueueWorker => each.kind === "queue" && each.jobs === kind) as QueueWorker;

/** Stores a job and returns its id. */
export async function storeJob(...args: Parameters<typeof newJob>): Promise<string> {
  const job = newJob(...args);
  await commit([], { jobs: [job] });
  return job.id;
}

/** Delivers messages with these job ids. Returns the ids of the jobs whose run failed. */
export async function deliver(...delivery: Parameters<typeof receive>): Promise<string[]> {
  const before = capturedLines().length;
  await receive(...delivery);
  const lines = capturedLines().slice(before);
  return lines.map((line) => JSON.parse(line)).flatMap(({ level, job }) => (level === "error" && job ? [job] : []));
}

/** Delivers messages with these job ids. Returns the ids of those that the worker left on the queue. */
export async function receive(worker: QueueWorker, ids: readonly string[], remainingMs = 60_000): Promise<string[]> {
  const Records = ids.map((body) => ({ messageId: body, body }));
  const context = contextOf(worker.name, remainingMs);
  const run = () => queueLambda(worker)({ Records } as never, context as never);
  const reply = await inContainer(worker, run);
  return reply.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

/** Delivers messages with these job ids to the worker of this name. Fails if it leaves one on the queue. */
export async function runWorker(name: string, ids: readonly string[], remainingMs = 60_000): Promise<void> {
  const worker = workers.find((each) => each.name === name) as QueueWorker;
  expect(await receive(worker, ids, remainingMs)).toEqual([]);
}
