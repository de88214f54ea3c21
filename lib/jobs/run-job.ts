// Runs the job of one message. The message leaves its queue when the end of the run is recorded. For a job that must
// run again, a new message is sent first. The sweeper replaces messages that are lost, and finds jobs whose process
// died.
import { besideCall, type Call, causedOf, costOf, inCall, measure, newCall } from "../call.ts";
import { logMeasured } from "../log.ts";
import { monotonicMs } from "../monotonic.ts";
import * as Setting from "../store/setting.ts";
import { sendPointers } from "./queue.ts";
import * as Job from "./store.ts";
import type { QueueWorker, RunResult } from "./worker.ts";

/** Lambda's own time ends this long after a worker's `until`. */
export const reserveMs = 5_000;
/** A run that exceeds `until` by this time is aborted. */
export const abortAfterMs = 2_500;
/** The end of a run must be recorded this long after `until`. The remaining 500 ms are for the reply to Lambda. */
const recordedAfterMs = 4_500;
/** Time to record the end of a run that was late, for example because the processor was busy. */
const recordMsMin = 2_000;
/** Added to the function's own limit, so that a lease outlives the process that holds it. */
const leaseReserveMs = 15_000;

interface Received {
  jobId: string;
  /** When the run must end, ms since the epoch. */
  until: number;
  messageId: string;
  invocation: Required<Call>["invocation"];
}

/**
 * Returns false when the job could not be claimed or the end of its run could not be recorded. SQS then delivers the
 * message again, and finally to the dead-letter queue.
 */
export async function runJob(
  declared: QueueWorker,
  { jobId, until, messageId, invocation }: Received,
): Promise<boolean> {
  const startedAt = monotonicMs();
  const call = newCall(messageId, signalAt(until + abortAfterMs));
  call.invocation = invocation;
  const fields = (job: Pick<Job.Running, "id" | "workspace" | "attempts">) => ({
    worker: declared.name,
    job: job.id,
    workspace: job.workspace,
    attempt: job.attempts,
    durationMs: Math.round(monotonicMs() - startedAt),
    ...costOf(call),
    ...causedOf(call),
  });
  const logEnd = (job: Pick<Job.Running, "id" | "workspace" | "attempts">, outcome: string, cause?: unknown) => {
    const isFailed = outcome === "failed";
    const { kmsCalls: _, ...cost } = costOf(call);
    logMeasured(
      cause === undefined ? "info" : "error",
      isFailed ? "job failed" : "job",
      { ...fields(job), outcome, ...(cause !== undefined && { cause }) },
      { jobRuns: 1, failedJobs: Number(isFailed), ...cost },
    );
  };
  /** Records the end of the run under a signal of its own: the run's time may be over. */
  const recorded = <T>(record: () => Promise<T>): Promise<T> =>
    inCall(besideCall(call, signalAt(until + recordedAfterMs, recordMsMin)), record);

  return inCall(call, async () => {
    const { outcome, job, waitedMs } = await Job.claim(jobId, declared.timeoutSeconds * 1_000 + leaseReserveMs);
    // Further jobs get the id of the call that caused this job.
    if (job?.causedBy) call.requestId = job.causedBy;
    if (outcome === "exhausted") logEnd(job, "failed", "Its worker died.");
    // The message came early, for example as a copy. The job's next message has the remaining delay.
    if (outcome === "early") await sendPointers([job]);
    if (outcome !== "claimed") return true;
    measure("queueAgeSeconds", waitedMs / 1_000);
    call.webhooks = () => Setting.get({ workspace: job.workspace }, "webhooks");
    try {
      const result = await declared.run(job, until);
      await recorded(() => recordResult(job, result));
      logEnd(job, result === "done" ? "done" : "again");
    } catch (cause) {
      // Requests of this run must not go on beside the next run.
      call.end.abort(cause);
      call.endWrites.abort(cause);
      const end = await recorded(() => recordFailure(job));
      logEnd(job, end, cause);
    }
    return true;
  }).catch((cause) =>
    inCall(call, () => {
      const line = { worker: declared.name, job: jobId, outcome: "unrecorded", cause };
      logMeasured("error", "job", line, { jobRuns: 1, unrecordedRuns: 1 });
      return false;
    }),
  );
}

/** Aborts at a time in ms since the epoch, at the earliest after `leastMs`. */
function signalAt(time: number, leastMs = 0): AbortSignal {
  return AbortSignal.timeout(Math.max(leastMs, time - Date.now()));
}

/** Records the result of a run. A job that was woken meanwhile runs again immediately. */
export async function recordResult(job: Job.Running, result: RunResult): Promise<void> {
  const { done, again } = result === "done" ? {} : { done: undefined, ...result };
  const payload = again?.payload ?? job.payload;
  const attempts = again?.isStep === false ? job.attempts - 1 : 0;
  const isRecorded = again
    ? await putBack(job, { payload, delaySeconds: again.delaySeconds, attempts })
    : await Job.finish(job, "done", done);
  if (!isRecorded) await putBack(job, { payload, delaySeconds: 0, attempts, evenIfWoken: true });
}

/**
 * Records that a run threw. The job waits 2 s, then 4 s, 8 s and so on, and is failed after its last attempt. A job that
 * was woken meanwhile waits too.
 */
export async function recordFailure(job: Job.Running): Promise<"threw" | "failed"> {
  if (job.attempts >= Job.attemptsMax) {
    await Job.finish(job, "failed");
    return "failed";
  }
  // At most 512 s, before the tenth attempt. SQS accepts a delay of 900 s.
  const delaySeconds = 2 ** job.attempts;
  await putBack(job, { payload: job.payload, delaySeconds, attempts: job.attempts, evenIfWoken: true });
  return "threw";
}

async function putBack(job: Job.Running, next: Job.PutBack): Promise<boolean> {
  if (!(await Job.putBack(job, next))) return false;
  await sendPointers([{ ...job, dueAt: Date.now() + next.delaySeconds * 1_000 }]);
  return true;
}
