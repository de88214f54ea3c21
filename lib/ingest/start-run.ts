// Starts the two steps of an extraction: it stores a step's job, which a worker then runs.
import { commit } from "../jobs/commit.ts";
import { sendPointers } from "../jobs/queue.ts";
import * as IngestRun from "../store/ai/ingest-run.ts";
import { jobCreation, newJob } from "../store/job.ts";
import type { WorkspaceRef } from "../store/refs.ts";

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
