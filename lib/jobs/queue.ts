// Pointers to jobs in SQS, and the only file that speaks to it. A message carries a job's id; a lost one loses nothing.
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { callSignal } from "../call.ts";
import { chunks } from "../concurrency.ts";
import { config } from "../config.ts";
import { log } from "../log.ts";
import type { DueJob } from "./job.ts";

/** The longest delay that SQS takes, in seconds. The sweeper sends what is due later. */
const queueDelayMax = 900;

/** SQS serves the groups of a queue in turn. */
function groupOf({ kind, id, workspace }: DueJob): string {
  // One receiver's deliveries must not delay another's, even in the same workspace.
  return kind === "drain" ? id : workspace;
}

let client: SQSClient | undefined;

/**
 * Sends a message for each job. A failed send is logged and not an error: the job is stored, and the sweeper sends it.
 * Returns false when a queue refused some.
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
  const Entries = jobs.map((job, index) => ({
    Id: String(index),
    MessageBody: job.id,
    MessageGroupId: groupOf(job),
    DelaySeconds: Math.min(queueDelayMax, Math.max(0, Math.ceil((job.dueAt - Date.now()) / 1_000))),
  }));
  let unsent = jobs.length;
  let cause: unknown;
  try {
    const signal = callSignal();
    client ??= new SQSClient({});
    const command = new SendMessageBatchCommand({ QueueUrl, Entries });
    unsent = (await client.send(command, signal ? { abortSignal: signal } : {})).Failed?.length ?? 0;
  } catch (thrown) {
    cause = thrown;
  }
  if (unsent > 0) log("warn", "Jobs were not queued; the sweeper sends them.", { count: unsent, cause });
  return unsent === 0;
}
