// Job items as their workers see them. Every write names the lease it was made under, so only its holder can make it.
import { randomUUID } from "node:crypto";
import { QueryCommand, type QueryCommandOutput } from "@aws-sdk/lib-dynamodb";
import { onTable, send } from "../dynamodb/client.ts";
import * as Table from "../dynamodb/table.ts";
import { ttlAfter } from "../retention.ts";
import { keys, shardCount } from "../store/keys.ts";
import { commit } from "./commit.ts";
import { type DueJob, dueShard, type Job } from "./queue.ts";

/** Of the index: the sweeper looks into the shards only. */
const failedPartition = "failed";

export async function get(id: string): Promise<Job | undefined> {
  return Table.get<Job>(keys.job(id));
}

export type Running = Job & { leaseId: string };

/** Takes the job for `leaseMs`; undefined where it has ended, or another worker holds it. */
export async function claim(id: string, leaseMs: number): Promise<Running | undefined> {
  const job = await get(id);
  const now = Date.now();
  if (!job || job.state === "done" || job.state === "failed") return undefined;
  if (job.state === "running" && job.dueAt > now) return undefined;
  const leaseId = randomUUID();
  const set = { state: "running", leaseId, dueAt: now + leaseMs, attempts: job.attempts + 1 } as const;
  const free = { state: job.state, leaseId: job.leaseId };
  return (await commit([{ update: keys.job(id), set, remove: ["woken"], if: free }])) ? { ...job, ...set } : undefined;
}

/**
 * Ends the job; a failed one stays in the index, where no sweep looks. False: the lease was lost,
 * or the job was woken meanwhile.
 */
export async function finish(job: Job, state: "done" | "failed"): Promise<boolean> {
  const ttl = ttlAfter(state === "done" ? "doneJob" : "failedJob");
  const isFailed = state === "failed";
  const set = { state, ttl, ...(isFailed && { due: failedPartition, dueAt: Date.now() }) };
  const remove = isFailed ? ["leaseId"] : ["due", "leaseId"];
  return commit([{ update: keys.job(job.id), set, remove, if: unwoken(job) }]);
}

/** Lets a failed job run again from `dueAt` on. False: it is not failed any more. */
export async function retry({ id }: Pick<Job, "id">, dueAt: number): Promise<boolean> {
  const set = { state: "waiting", due: dueShard(id), dueAt, attempts: 0, sweeps: 0 };
  return commit([{ update: keys.job(id), set, remove: ["ttl"], if: { state: "failed" } }]);
}

const unwoken = ({ leaseId }: Job) => ({ leaseId, woken: undefined });

/**
 * Gives the job back, to be run after a delay. `attempts` is 0 after a step that succeeded: only failures in a row count.
 * False: the lease was lost, or the job was woken meanwhile and `isWoken` does not say so.
 */
export async function putBack(
  job: Job,
  { payload, delaySeconds, attempts, isWoken = false }: PutBack,
): Promise<boolean> {
  const set = { state: "waiting", payload, dueAt: Date.now() + delaySeconds * 1_000, attempts, sweeps: 0 };
  return commit([
    { update: keys.job(job.id), set, remove: ["leaseId"], if: isWoken ? { leaseId: job.leaseId } : unwoken(job) },
  ]);
}

interface PutBack {
  payload: Job["payload"];
  delaySeconds: number;
  attempts: number;
  isWoken?: boolean;
}

/**
 * Moves an overdue job on, so that no other sweep sends it meanwhile. A running one's lease has ended and is taken away:
 * `dueAt` would prolong it, and nobody could claim the job. False: it has moved already.
 */
export async function postpone(job: DueJob, dueAt: number): Promise<boolean> {
  const set = { state: "waiting", dueAt, sweeps: job.sweeps + 1 };
  const unmoved = { dueAt: job.dueAt, leaseId: job.leaseId };
  return commit([{ update: keys.job(job.id), set, remove: ["leaseId"], if: unmoved }]);
}

/** All jobs that are not done, page after page: each partition by time, the failed ones last. */
export async function* listed(): AsyncGenerator<DueJob[]> {
  const shards = Array.from({ length: shardCount }, (_, shard) => String(shard));
  for (const partition of [...shards, failedPartition]) {
    let after: Record<string, unknown> | undefined;
    do {
      const command = new QueryCommand({
        ...onTable(),
        IndexName: "due",
        KeyConditionExpression: "due = :partition",
        ExpressionAttributeValues: { ":partition": partition },
        ...(after && { ExclusiveStartKey: after }),
      });
      const page = await send<QueryCommandOutput>(command, "read");
      yield (page.Items ?? []) as DueJob[];
      after = page.LastEvaluatedKey;
    } while (after);
  }
}

/** Up to `limit` jobs of one shard that were due before `before` (ms since the epoch), the longest overdue first. */
export async function overdue(shard: number, before: number, limit: number): Promise<DueJob[]> {
  const command = new QueryCommand({
    ...onTable(),
    IndexName: "due",
    KeyConditionExpression: "due = :shard AND dueAt < :before",
    ExpressionAttributeValues: { ":shard": String(shard), ":before": before },
    Limit: limit,
  });
  return ((await send<QueryCommandOutput>(command, "read")).Items ?? []) as DueJob[];
}
