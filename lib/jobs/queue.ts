// Sends messages to SQS; no other file does. A message carries only a job's id. The sweeper replaces a lost message.
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { clientOptions } from "../aws.ts";
import { currentCall } from "../call.ts";
import { chunks } from "../concurrency.ts";
import { config } from "../config.ts";
import { log } from "../log.ts";
import type { DueJob } from "../store/job.ts";

/**
 * The longest delay that SQS accepts. A job that is due later gets no message: the sweeper sends it when it is due.
 * Messages that wake a worker only to send the next message would look like a loop to Lambda.
 */
const delaySecondsMax = 900;

/**
 * The time of one try of a send, in ms, and the number of tries: one second together. A send takes a few ms. The change
 * is written already, so a queue that hangs must not fail the call. The sweeper sends its further messages.
 */
const tryMsMax = 500;
const tries = 2;

let client: SQSClient | undefined;

/**
 * Sends a message for each job that is due within 15 minutes and whose queue has a URL (`config.queueUrl`). A failure is
 * only logged: the sweeper sends every job without a message. Returns false after a failure.
 */
export async function sendPointers(jobs: readonly DueJob[]): Promise<boolean> {
  return (await unsentOf(jobs)).length === 0;
}

/** As `sendPointers`. Returns the jobs whose message was not sent. */
export async function unsentOf<J extends DueJob>(jobs: readonly J[]): Promise<J[]> {
  const unsent: J[] = [];
  const soon = jobs.filter((job) => delaySecondsOf(job) <= delaySecondsMax);
  for (const [kind, ofKind] of Map.groupBy(soon, (job) => job.kind)) {
    const url = config.queueUrl(kind);
    if (url) for (const batch of chunks(ofKind, 10)) unsent.push(...(await unsentOfBatch(url, batch)));
  }
  return unsent;
}

/** The seconds until the job is due, rounded up: a message must not be early. */
function delaySecondsOf({ dueAt }: DueJob): number {
  return Math.max(0, Math.ceil((dueAt - Date.now()) / 1_000));
}

async function unsentOfBatch<J extends DueJob>(QueueUrl: string, jobs: J[]): Promise<J[]> {
  const Entries = jobs.map((job, index) => ({
    Id: String(index),
    MessageBody: job.id,
    // SQS prefers groups with few messages in work, so a workspace with many jobs delays the others less.
    MessageGroupId: job.workspace,
    DelaySeconds: delaySecondsOf(job),
  }));
  const call = currentCall();
  let unsent = Entries;
  let cause: unknown;
  const isSlow = call?.slowQueues.has(QueueUrl) === true;
  for (let attempt = 1; attempt <= tries && unsent.length > 0 && !isSlow; attempt++) {
    const late = AbortSignal.timeout(tryMsMax * config.slowness());
    const abortSignal = call ? AbortSignal.any([late, call.signal]) : late;
    try {
      client ??= new SQSClient(clientOptions());
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: unsent }), {
        abortSignal,
      });
      const failed = new Set(Failed.map(({ Id }) => Id));
      unsent = unsent.filter(({ Id }) => failed.has(Id));
    } catch (thrown) {
      cause = thrown;
      if (late.aborted && attempt === tries) call?.slowQueues.add(QueueUrl);
    }
  }
  const count = unsent.length;
  if (count > 0) log("warn", "Jobs were not queued; the sweeper sends them.", { count, cause });
  return unsent.flatMap(({ Id }) => jobs[Number(Id)] ?? []);
}
