// Makes a Lambda handler from a worker's declaration.
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { causedOf, costOf, inCall, newCall } from "../call.ts";
import { inParallel } from "../concurrency.ts";
import { jsonIn } from "../json.ts";
import { log, logMeasured, newInvocation } from "../log.ts";
import { abortAfterMs, reserveMs, runJob } from "./run-job.ts";
import type { Authorizer, EventWorker, QueueWorker, ScheduleWorker } from "./worker.ts";

export { authorizer, eventWorker, scheduled, worker } from "./worker.ts";

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

/** The handler of a worker that takes events. It returns the events that SQS must deliver again. */
export function eventLambda(declared: EventWorker) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const invocation = newInvocation(context);
    const failures = await inParallel(event.Records, declared.batchSize, ({ messageId, body }) => {
      const call = newCall(messageId, AbortSignal.timeout(Math.max(0, until + abortAfterMs - Date.now())));
      call.invocation = invocation;
      return inCall(call, () =>
        took(declared, body).then((isTaken) => (isTaken ? [] : [{ itemIdentifier: messageId }])),
      );
    });
    return { batchItemFailures: failures.flat() };
  };
}

/** Logs one line for each event, without the event's text: it can name addresses. */
async function took(declared: EventWorker, body: string): Promise<boolean> {
  try {
    const event = jsonIn(body);
    if (event === undefined) throw new Error("The event is not JSON.");
    await declared.take(event);
    logMeasured("info", "event", { worker: declared.name }, {});
    return true;
  } catch (cause) {
    log("error", "event", { worker: declared.name, outcome: "unrecorded", cause });
    return false;
  }
}

/** The handler of a worker that a schedule invokes. */
export function scheduleLambda(declared: ScheduleWorker) {
  return async (event: Partial<ScheduledEvent>, context: Context): Promise<void> => {
    const until = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const call = newCall(
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

/** The handler of an authorizer. It refuses what it cannot decide. It logs only failures. */
export function authorizerLambda(declared: Authorizer) {
  return async (event: unknown, context: Context): Promise<{ isAuthorized: boolean }> => {
    const limitMs = context.getRemainingTimeInMillis() - reserveMs;
    const call = newCall(context.awsRequestId, AbortSignal.timeout(Math.max(0, limitMs)));
    call.invocation = newInvocation(context);
    return inCall(call, () =>
      declared.decide(event).catch((cause: unknown) => {
        logMeasured("error", "authorization", { worker: declared.name, cause }, { liveFailures: 1 });
        return { isAuthorized: false };
      }),
    );
  };
}
