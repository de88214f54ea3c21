// Job items and their states: waiting → running → done | failed. The item is the truth; a queue carries only its id and
// may lose it. A claim has a lease, and every later write is conditional on that lease, so that a worker that wakes
// late changes nothing.
import { randomUUID } from "node:crypto";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { callSignal } from "../call.ts";
import { chunks } from "../concurrency.ts";
import { config } from "../config.ts";
import type { Item } from "../dynamodb/table.ts";
import type { JobKind } from "../grants.ts";
import { log } from "../log.ts";
import { keys, shardOf } from "../store/keys.ts";

export interface Job {
  id: string;
  kind: JobKind;
  workspace: string;
  state: "waiting" | "running" | "done" | "failed";
  /** When it should run, or its lease has ended; ms since the epoch. */
  dueAt: number;
  /** Claims since the last step that succeeded. */
  attempts: number;
  /** Times that the sweeper has sent it. */
  sweeps: number;
  /** Of the running claim. */
  leaseId?: string;
  /** There is more to do than the running claim may have seen: it is run again instead of ended. */
  woken?: true;
  payload: Record<string, unknown>;
}

/** A job as the `due` index lists it. */
export type DueJob = Omit<Job, "payload">;

/** Longest delay that SQS takes, in seconds; what is due later waits for the sweeper. */
const queueDelayMax = 900;

export function newJob(kind: Job["kind"], workspace: string, payload: Job["payload"], delaySeconds = 0): Job {
  const dueAt = Date.now() + delaySeconds * 1_000;
  return { id: randomUUID(), kind, workspace, state: "waiting", dueAt, attempts: 0, sweeps: 0, payload };
}

/** The job as stored: in the `due` index until it is done. */
export function jobItem(job: Job): Item {
  return { ...keys.job(job.id), ...job, due: dueShard(job.id) };
}

/** The partition of the `due` index that a job is listed in. */
export function dueShard(id: string): string {
  return String(shardOf(id));
}

/** Whose turn it is that a message takes: queues serve the groups in turn. */
function groupOf({ kind, id, workspace }: DueJob): string {
  // One endpoint's deliveries must not hold up those to another, even of the same workspace.
  return kind === "drain" ? id : workspace;
}

let client: SQSClient | undefined;

/**
 * Tells the queues. A failed send is logged and no error: the job is stored, and the sweeper sends it again.
 * False: some were not taken.
 */
export async function sendPointers(jobs: readonly DueJob[]): Promise<boolean> {
  let isSent = true;
  for (const kind of new Set(jobs.map((job) => job.kind))) {
    const url = config.queueUrl(kind);
    if (url)
      for (const batch of chunks(
        jobs.filter((job) => job.kind === kind),
        10,
      ))
        isSent = (await sendBatch(url, batch)) && isSent;
  }
  return isSent;
}

async function sendBatch(QueueUrl: string, jobs: DueJob[]): Promise<boolean> {
  client ??= new SQSClient({});
  const Entries = jobs.map((job, index) => ({
    Id: String(index),
    MessageBody: job.id,
    MessageGroupId: groupOf(job),
    DelaySeconds: Math.min(queueDelayMax, Math.max(0, Math.ceil((job.dueAt - Date.now()) / 1_000))),
  }));
  try {
    const signal = callSignal();
    const command = new SendMessageBatchCommand({ QueueUrl, Entries });
    const { Failed } = await client.send(command, signal ? { abortSignal: signal } : {});
    if (Failed?.length) log("warn", "Some jobs were not queued; the sweeper will send them.", { count: Failed.length });
    return !Failed?.length;
  } catch (cause) {
    log("warn", "Jobs were not queued; the sweeper will send them.", { count: jobs.length, cause });
    return false;
  }
}
