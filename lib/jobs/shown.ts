// What the caller sees of a job whose id a call has returned (DECISIONS.md#status-of-a-job).
import type { JobStatus, Progress, ShownKind } from "../schema/jobs.ts";
import * as Receipt from "../store/erasure/receipt.ts";
import type { Job } from "../store/job.ts";
import * as Jobs from "./store.ts";

export interface ShownJob {
  jobId: string;
  kind: ShownKind;
  status: JobStatus;
  progress: Progress;
  /** Why it failed. */
  reason?: string;
  /** A compact JWS. */
  receipt?: string;
}

/** The job as its workspace sees it. Undefined for any other job, and for one that is no longer kept. */
export async function shownJob(workspace: string, jobId: string): Promise<ShownJob | undefined> {
  const stored = await Jobs.get(jobId);
  const job = stored?.workspace === workspace && !isOver(stored) ? stored : undefined;
  const status = job && statusOf(job);
  // The receipt is stored before the job is done. So it is read after the job.
  const receipt = !status || status === "completed" ? await Receipt.get({ workspace, jobId }) : undefined;
  if (receipt) return completed(receipt);
  if (!job?.shownAs || !status) return undefined;
  const { progress = { done: 0 } } = job.payload;
  const reason = reasonOf(job);
  return { jobId, kind: job.shownAs, status, progress, ...(reason !== undefined && { reason }) };
}

const completed = ({ jobId, kind, progress, jws }: Receipt.Receipt): ShownJob => ({
  ...{ jobId, kind, progress },
  status: "completed",
  receipt: jws,
});

const isOver = ({ ttl }: Job & { ttl?: number }) => ttl !== undefined && ttl <= Date.now() / 1_000;

/** A job that waits has begun if it has reported something, or if a run has failed. */
function statusOf({ state, attempts, payload }: Job): JobStatus {
  if (state === "failed" || payload.failure !== undefined) return "failed";
  if (state === "done") return "completed";
  return state === "running" || attempts > 0 || payload.progress ? "in_progress" : "pending";
}

function reasonOf({ state, payload }: Job): string | undefined {
  if (payload.failure !== undefined) return payload.failure;
  return state === "failed"
    ? "The job failed several times in a row. The operator of the service can retry it."
    : undefined;
}
