// The background jobs of the workspace. A payload can have content of the workspace, so only its progress is shown.
import { ApiError } from "../../../../lib/errors.ts";
import type { DueJob } from "../../../../lib/store/job.ts";
import { findJobs, retryJobs } from "../../../admin/jobs.ts";
import { workers } from "../../../deployables.ts";
import type { ShownJob } from "../operations.ts";

const does = new Map(workers.flatMap((each) => (each.kind === "queue" ? [[each.jobs as string, each.summary]] : [])));

/** The page shows no more. */
const jobsMax = 200;

/** Those that are not done; the longest overdue first. */
export async function listJobs(apiKey: string, state?: string): Promise<ShownJob[]> {
  const found = await findJobs((job) => !state || job.state === state, apiKey);
  const { inParallel } = await import("../../../../lib/concurrency.ts");
  return inParallel(found.slice(0, jobsMax), 8, shown);
}

/** NOT_FOUND or FAILED_PRECONDITION for a job that cannot be retried. */
export async function retryJob(apiKey: string, id: string): Promise<void> {
  const Job = await import("../../../../lib/jobs/store.ts");
  const job = id === "" ? undefined : await Job.get(id);
  if (job?.workspace !== apiKey) throw new ApiError("NOT_FOUND", "The workspace has no job with this id.");
  if (job.state !== "failed") {
    throw new ApiError("FAILED_PRECONDITION", `The job is ${job.state}. Only failed jobs can be retried.`);
  }
  await retryJobs([job]);
}

/** Only jobs whose id a call has returned report their progress. */
async function shown({ id, kind, state, attempts, dueAt, shownAs, causedBy }: DueJob): Promise<ShownJob> {
  const Job = await import("../../../../lib/jobs/store.ts");
  const progress = shownAs && (await Job.get(id))?.payload.progress;
  return {
    ...{ id, kind, does: does.get(kind) ?? kind, state, attempts },
    dueAt: new Date(dueAt).toISOString(),
    ...(shownAs && { summary: shownAs }),
    ...(progress && { progress }),
    ...(causedBy && { causedBy }),
  };
}
