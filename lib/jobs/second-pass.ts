// While a worker removes or moves data, calls in flight can still write it. So the worker runs a second time, after
// those calls have ended.
import { inFlightSeconds } from "../call.ts";
import type { Job } from "./job.ts";
import type { RunResult } from "./worker.ts";

/** Delays the job again when its message arrives too early: SQS can deliver a message twice. */
export function beforeSecondPass({ payload }: Pick<Job, "payload">): RunResult | undefined {
  const early = Number(payload.secondPassAt ?? 0) - Date.now();
  return early > 0 ? { again: { payload, delaySeconds: Math.ceil(early / 1_000) } } : undefined;
}

/** Runs the job again with this payload, after all calls that are in flight now have ended. */
export function secondPass(payload: Job["payload"]): RunResult {
  const secondPassAt = Date.now() + inFlightSeconds * 1_000;
  return { again: { payload: { ...payload, secondPassAt }, delaySeconds: inFlightSeconds } };
}
