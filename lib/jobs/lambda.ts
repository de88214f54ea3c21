// Makes a Lambda handler from a worker's declaration.
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { causedOf, costOf, inCall, newCallRecord } from "../call.ts";
import { newInvocation } from "../invocation.ts";
import { logMeasured } from "../log.ts";
import { abortAfterMs, reserveMs, runJob } from "./run-job.ts";
import type { QueueWorker, ScheduleWorker } from "./worker.ts";

/** The handler of a queue worker. It returns the messages that SQS must deliver again. */
export function queueLambda(declared: QueueWorker) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const invocation = newInvocation(context);
    const failures = await Promise.all(
      event.Records.map(async ({ messageId, body }) => {
        const isRecorded = await runJob(declared, { jobId: body, until, messageId, invocation });
        return isRecorded ? [] : [{ itemIdentifier: messageId }];
      }),
    );
    return { batchItemFailures: failures.flat() };
  };
}

/** The handler of a worker that a schedule invokes. */
export function scheduleLambda(declared: ScheduleWorker) {
  return async (event: Partial<ScheduledEvent>, context: Context): Promise<void> => {
    const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const call = newCallRecord(
      event.id ?? context.awsRequestId,
      AbortSignal.timeout(Math.max(0, until + abortAfterMs - Date.now())),
    );
    call.invocation = newInvocation(context);
    await inCall(call, async () => {
      // A run can begin late. Its time in the schedule is exact.
      await declared.run(until, event.time === undefined ? Date.now() : Date.parse(event.time));
      const { kmsCalls: _, ...cost } = costOf(call);
      logMeasured("info", "scheduled", { worker: declared.name, ...costOf(call), ...causedOf(call) }, cost);
    });
  };
}
