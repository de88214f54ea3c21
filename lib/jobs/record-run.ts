// Records how a run ended: first the job's new state, then the message for its next run. If the process dies between
// the two, the sweeper sends the message.
import { sendPointers } from "./queue.ts";
import * as Job from "./store.ts";
import type { RunResult } from "./worker.ts";

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
