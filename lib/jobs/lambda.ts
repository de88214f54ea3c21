// From a worker's declaration to a Lambda handler. A job that is put back or lost with its process is found again by
// the sweeper, so a message that is taken off the queue loses nothing.
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { costOf, inCall, newCallRecord } from "../call.ts";
import { log } from "../log.ts";
import * as Setting from "../store/setting.ts";
import { sendPointers } from "./queue.ts";
import * as Job from "./store.ts";
import type { QueueWorker, ScheduleWorker } from "./worker.ts";

/** Beyond the function's own limit, so that a lease outlives whoever holds it. */
const leaseReserveMs = 15_000;
/** Left of Lambda's own time to write down what was done. */
const reserveMs = 5_000;
/** Claims of one job in a row without a step that succeeded before it counts as failed. */
export const attemptsMax = 10;
const retrySecondsMax = 900;

/** The handler of a queue worker: answers which messages are to come again. */
export function queueLambda(declared: QueueWorker) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const failures = await Promise.all(
      event.Records.map(async ({ messageId, body }) => {
        const isDone = await runOnce(declared, body, until, messageId);
        return isDone ? [] : [{ itemIdentifier: messageId }];
      }),
    );
    return { batchItemFailures: failures.flat() };
  };
}

/** False: the run threw, and the message is to come again until it lands with the dead letters. */
async function runOnce(declared: QueueWorker, jobId: string, until: number, requestId: string): Promise<boolean> {
  const record = newCallRecord(requestId, AbortSignal.timeout(Math.max(0, until - Date.now()) + reserveMs / 2));
  return inCall(record, async () => {
    const startedAt = performance.now();
    const job = await Job.claim(jobId, declared.timeoutSeconds * 1_000 + leaseReserveMs);
    if (!job) return true;
    record.wantedEvents = async () => (await Setting.get(job.workspace, "webhooks")).wantedEvents;
    const fields = () => ({
      worker: declared.name,
      job: job.id,
      workspace: job.workspace,
      attempt: job.attempts,
      durationMs: Math.round(performance.now() - startedAt),
      ...costOf(record),
    });
    try {
      const outcome = await declared.run(job, until);
      await settle(job, outcome);
      log("info", "job", { ...fields(), outcome: outcome === "done" ? "done" : "again" });
      return true;
    } catch (cause) {
      const isLast = job.attempts >= attemptsMax;
      log("error", "job", { ...fields(), outcome: isLast ? "failed" : "threw", cause });
      if (isLast) await Job.finish(job, "failed");
      else
        await Job.putBack(job, { ...job, delaySeconds: Math.min(retrySecondsMax, 2 ** job.attempts), isWoken: true });
      return false;
    }
  }).catch((cause) => {
    log("error", "job", { worker: declared.name, job: jobId, outcome: "lost", cause });
    return false;
  });
}

/** Writes down what a run came to. A job that was woken meanwhile runs again at once. */
async function settle(job: Job.Running, outcome: Awaited<ReturnType<QueueWorker["run"]>>): Promise<void> {
  const again = outcome === "done" ? undefined : { ...outcome.again, attempts: 0 };
  if (again ? await Job.putBack(job, again) : await Job.finish(job, "done")) {
    if (again) await sendPointers([{ ...job, dueAt: Date.now() + again.delaySeconds * 1_000 }]);
    return;
  }
  const atOnce = { payload: again?.payload ?? job.payload, delaySeconds: 0, attempts: 0, isWoken: true };
  if (await Job.putBack(job, atOnce)) await sendPointers([{ ...job, dueAt: 0 }]);
}

/** The handler of a worker run by the clock. */
export function scheduleLambda(declared: ScheduleWorker) {
  return async (event: Partial<ScheduledEvent>, context: Context): Promise<void> => {
    const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const record = newCallRecord(
      event.id ?? context.awsRequestId,
      AbortSignal.timeout(until + reserveMs / 2 - Date.now()),
    );
    await inCall(record, () => declared.run(until));
    log("info", "scheduled", { worker: declared.name, ...costOf(record) });
  };
}
