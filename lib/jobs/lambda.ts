// Makes a Lambda handler from a worker's declaration. A message can leave the queue before its job is done: the sweeper
// finds jobs that were put back, and jobs whose process died.
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { costOf, inCall, newCallRecord } from "../call.ts";
import { log } from "../log.ts";
import * as Setting from "../store/setting.ts";
import { sendPointers } from "./queue.ts";
import * as Job from "./store.ts";
import type { QueueWorker, RunResult, ScheduleWorker } from "./worker.ts";

/** Added to the function's own limit, so that a lease outlives the process that holds it. */
const leaseReserveMs = 15_000;
/** Reserved at the end of Lambda's own time, to record the result. */
const reserveMs = 5_000;
/** Claims of one job in a row without a successful step. After the last one, the job is failed. */
export const attemptsMax = 10;
const retrySecondsMax = 900;

/** The handler of a queue worker. It returns the messages that SQS must deliver again. */
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

/** Returns false when the run threw. SQS then delivers the message again, and finally to the dead-letter queue. */
async function runOnce(declared: QueueWorker, jobId: string, until: number, requestId: string): Promise<boolean> {
  const call = newCallRecord(requestId, AbortSignal.timeout(Math.max(0, until - Date.now()) + reserveMs / 2));
  return inCall(call, async () => {
    const startedAt = performance.now();
    const job = await Job.claim(jobId, declared.timeoutSeconds * 1_000 + leaseReserveMs);
    if (!job) return true;
    call.wantedEvents = async () => (await Setting.get({ workspace: job.workspace }, "webhooks")).wantedEvents;
    const fields = () => ({
      worker: declared.name,
      job: job.id,
      workspace: job.workspace,
      attempt: job.attempts,
      durationMs: Math.round(performance.now() - startedAt),
      ...costOf(call),
    });
    try {
      const result = await declared.run(job, until);
      await record(job, result);
      log("info", "job", { ...fields(), outcome: result === "done" ? "done" : "again" });
      return true;
    } catch (cause) {
      const isLast = job.attempts >= attemptsMax;
      log("error", "job", { ...fields(), outcome: isLast ? "failed" : "threw", cause });
      if (isLast) await Job.finish(job, "failed");
      else
        await Job.putBack(job, {
          ...job,
          delaySeconds: Math.min(retrySecondsMax, 2 ** job.attempts),
          evenIfWoken: true,
        });
      return false;
    }
  }).catch((cause) => {
    log("error", "job", { worker: declared.name, job: jobId, outcome: "unrecorded", cause });
    return false;
  });
}

/** Records the result of a run. A job that was woken meanwhile runs again immediately. */
async function record(job: Job.Running, result: RunResult): Promise<void> {
  const again = result === "done" ? undefined : { ...result.again, attempts: 0 };
  if (again ? await Job.putBack(job, again) : await Job.finish(job, "done")) {
    if (again) await sendPointers([{ ...job, dueAt: Date.now() + again.delaySeconds * 1_000 }]);
    return;
  }
  const immediate = { payload: again?.payload ?? job.payload, delaySeconds: 0, attempts: 0, evenIfWoken: true };
  if (await Job.putBack(job, immediate)) await sendPointers([{ ...job, dueAt: 0 }]);
}

/** The handler of a worker that a schedule invokes. */
export function scheduleLambda(declared: ScheduleWorker) {
  return async (event: Partial<ScheduledEvent>, context: Context): Promise<void> => {
    const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const call = newCallRecord(
      event.id ?? context.awsRequestId,
      AbortSignal.timeout(until + reserveMs / 2 - Date.now()),
    );
    await inCall(call, () => declared.run(until));
    log("info", "scheduled", { worker: declared.name, ...costOf(call) });
  };
}
