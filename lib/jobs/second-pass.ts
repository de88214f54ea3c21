// Calls in flight can still write what a worker removes or moves. So the worker runs a second time when they have
// ended.
import type { Job } from "./job.ts";
import type { RunResult } from "./worker.ts";

/** Longer than a call may take (28 s), and than a container caches a credential (30 s). */
const inFlightSeconds = 60;

/** Delays the job when its message arrives before the second pass is due: SQS can deliver a message twice. */
export function beforeSecondPass({ payload }: Pick<Job, "payload">): RunResult | undefined {
  const early = Number(payload.secondPassAt ?? 0) - Date.now();
  return early > 0 ? { again: { payload, delaySeconds: Math.ceil(early / 1_000) } } : undefined;
}

/** Runs the job again, with this payload, when the calls that are in flight now have ended. */
export function secondPass(payload: Job["payload"]): RunResult {
  const secondPassAt = Date.now() + inFlightSeconds * 1_000;
  return { again: { payload: { ...payload, secondPassAt }, delaySeconds: inFlightSeconds } };
}
