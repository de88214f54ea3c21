// The common part of the two steps of an extraction. A step runs while the extraction holds one of its workspace's
// slots. A step that ends the extraction frees the slot.
import type { RunResult } from "../jobs/worker.ts";
import * as IngestRun from "../store/ai/ingest-run.ts";
import type { Job } from "../store/job.ts";
import * as WaitingSlot from "../store/waiting-slot.ts";

/** After this many crashes, the file is the likely cause, and each attempt can cost a call to the vendor. */
const attemptsMax = 5;
const unprocessable = { status: "INTERNAL", message: "The file could not be processed.", isExpected: false } as const;
/**
 * A step has to wait for a slot in two cases. Its own lease has ended: its worker died, or its queue was long. Or
 * another worker of the same run prolonged the lease at the same moment.
 */
const slotRetrySeconds = 5;

/**
 * Runs one step of the job's extraction. `step` returns the result if it ends the extraction. `leaseSeconds`: the lease
 * of the slot, until the next step prolongs it.
 */
export async function runStep(
  { workspace, payload, attempts }: Job,
  leaseSeconds: number,
  step: (run: IngestRun.IngestRun) => Promise<IngestRun.RunResult | undefined>,
): Promise<RunResult> {
  const runId = String(payload.runId);
  const slot = await WaitingSlot.hold({ workspace }, "extraction", runId, leaseSeconds * 1_000);
  if (!slot) return { again: { payload, delaySeconds: slotRetrySeconds } };
  // The run is read after the slot is held. A slow worker can take the slot after the end of the run. It frees it here.
  const run = await IngestRun.get({ workspace }, String(payload.fingerprint));
  if (run?.runId === runId && run.state === "running") {
    const result = attempts > attemptsMax ? { failure: unprocessable } : await step(run);
    if (!result) return "done";
    const end = () => IngestRun.end({ workspace }, run, result);
    // Another run would pay the vendor again, so the write is tried twice.
    await end().catch(end);
  }
  await WaitingSlot.release(slot);
  return "done";
}

/** The contract's failure for a file without a result. `message` is public. */
export const internalFailure = (message: string) => ({
  failure: { status: "INTERNAL" as const, message, isExpected: true },
});

/** Not an expected failure, so it is not final: the same call, with the same Idempotency-Key, can succeed later. */
export const fileExpired = {
  failure: { status: "INTERNAL" as const, message: "The file has expired. Send it again.", isExpected: false },
};
