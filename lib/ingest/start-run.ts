// Starts the two steps of an extraction: it stores a step's job, which a worker then runs. Also how a call waits for its
// end: it reads the state again after pauses that become longer. 25 seconds take 15 reads.
import { callSignal } from "../call.ts";
import { pause } from "../concurrency.ts";
import { ApiError } from "../errors.ts";
import { commit } from "../jobs/commit.ts";
import { sendPointers } from "../jobs/queue.ts";
import * as IngestRun from "../store/ai/ingest-run.ts";
import { jobCreation, newJob } from "../store/job.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as WaitingSlot from "../store/waiting-slot.ts";

/** Replaces `old` with a new run and its job. "unsent": the job's message was not sent; the sweeper will send it. */
export async function startRun(
  ref: WorkspaceRef,
  run: IngestRun.IngestRun,
  old: IngestRun.IngestRun | undefined,
): Promise<"started" | "unsent" | "taken by another call"> {
  let isSent = true;
  const { fingerprint, runId } = run;
  const isStarted = await commit([IngestRun.starting(ref, run, old)], {
    jobs: [newJob("ingest", ref.workspace, { fingerprint, runId })],
    onUnsent: () => {
      isSent = false;
    },
  });
  return isStarted ? (isSent ? "started" : "unsent") : "taken by another call";
}

/** Stores and queues the job of the run's next step. Safe to repeat: the step's job is stored once. */
export async function continueWith(
  { workspace }: WorkspaceRef,
  step: "draft",
  { fingerprint, runId }: Pick<IngestRun.IngestRun, "fingerprint" | "runId">,
): Promise<void> {
  const job = { ...newJob(step, workspace, { fingerprint, runId }), id: `${runId}-${step}` };
  if (await commit([jobCreation(job)])) await sendPointers([job]);
}

const pauseMs = { first: 250, longest: 2_000 };

/** Waits before the next read. Throws DEADLINE_EXCEEDED when the time is over, with this message. */
type NextPause = (message: string) => Promise<void>;

/** The pauses of one call, until `until` (ms since the epoch). Each is twice as long as the one before, up to 2 s. */
export function pauses(until: number): NextPause {
  let next = pauseMs.first;
  return async (message) => {
    const leftMs = until - Date.now();
    // This is the expected end of the call when the file is large or the model is slow.
    if (leftMs <= 0) throw new ApiError("DEADLINE_EXCEEDED", message, { isExpected: true });
    await pause(Math.min(next, leftMs), callSignal());
    next = Math.min(pauseMs.longest, next * 2);
  };
}

/** Waits until a slot for an extraction is free, and takes it. */
export async function slotFor(
  ref: WorkspaceRef,
  runId: string,
  leaseMs: number,
  nextPause: NextPause,
): Promise<WaitingSlot.Held> {
  const { extraction } = WaitingSlot.slotCounts;
  for (;;) {
    await nextPause(`The workspace has ${extraction} extractions in progress. Send the file again when one has ended.`);
    const held = await WaitingSlot.hold(ref, "extraction", runId, leaseMs);
    if (held) return held;
  }
}

/** Waits until the run has ended. Returns it. */
export async function endOf(
  { workspace }: WorkspaceRef,
  fingerprint: string,
  nextPause: NextPause,
): Promise<IngestRun.IngestRun> {
  for (;;) {
    await nextPause("The file is still being processed. Send it again to get its result.");
    const run = await IngestRun.get({ workspace }, fingerprint);
    if (run && run.state !== "running") return run;
  }
}
