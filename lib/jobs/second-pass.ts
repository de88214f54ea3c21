// While a worker removes or moves data, calls in flight can still write it. So the worker runs a second time, after
// those calls have ended.
import { inFlightSeconds } from "../call.ts";
import type { Job } from "../store/job.ts";
import type { RunResult } from "./worker.ts";

/** Runs the job again with this payload, after all calls that are in flight now have ended. */
export function secondPass(payload: Job["payload"]): RunResult {
  return { again: { payload: { ...payload, isSecondPass: true }, delaySeconds: inFlightSeconds } };
}
