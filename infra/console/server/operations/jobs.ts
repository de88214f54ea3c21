// The background jobs of the workspace. A payload can have content of the workspace, so only its progress and the ids of
// what it is about are shown.
import { ApiError } from "../../../../lib/errors.ts";
import { eventsIn } from "../../../../lib/jobs/outbox.ts";
import type { DueJob } from "../../../../lib/store/job.ts";
import { findJobs, retryJobs } from "../../../admin/jobs.ts";
import { causeOf } from "../../../admin/trace-steps.ts";
import { workers } from "../../../deployables.ts";
import { keptLines } from "../../../local/log-file.ts";
import type { ShownJob } from "../operations.ts";

const does = new Map(workers.flatMap((each) => (each.kind === "queue" ? [[each.jobs as string, each.summary]] : [])));

/** The page shows no more. */
const jobsMax = 200;

/** Those that are not done; the longest overdue first. `folder`: the data folder, whose log says why attempts failed. */
export async function listJobs(apiKey: string, state?: string, folder?: string): Promise<ShownJob[]> {
  const found = (await findJobs((job) => !state || job.state === state, apiKey)).slice(0, jobsMax);
  const { inParallel } = await import("../../../../lib/concurrency.ts");
  const reasonOf = folder === undefined ? () => undefined : reasonsIn(folder, found);
  return inParallel(found, 8, (job) => shown(job, reasonOf(job)));
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

async function shown(listed: DueJob, reason: string | undefined): Promise<ShownJob> {
  const { id, kind, state, attempts, dueAt, shownAs, causedBy } = listed;
  const Job = await import("../../../../lib/jobs/store.ts");
  const payload = (await Job.get(id))?.payload ?? {};
  const about = aboutOf(payload);
  // Only jobs whose id a call has returned report their progress.
  const progress = shownAs && payload.progress;
  return {
    ...{ id, kind, does: does.get(kind) ?? kind, state, attempts },
    dueAt: new Date(dueAt).toISOString(),
    ...(about.length > 0 && { about }),
    ...(reason && { reason }),
    ...(shownAs && { summary: shownAs }),
    ...(progress && { progress }),
    ...(causedBy && { causedBy }),
  };
}

const named = [
  "organizationId",
  "folderId",
  "documentId",
  "endpointId",
  "userId",
  "notificationId",
  "channel",
] as const;
const aboutMax = 5;

/** The ids in a payload, in it or one level deeper, and the events that wait in it. */
function aboutOf(payload: Record<string, unknown>): string[] {
  const inner = Object.values(payload)
    .flat()
    .filter((each) => typeof each === "object" && each !== null);
  const events = eventsIn(payload).map(({ type, documentId, organizationId }) =>
    [type, documentId ?? organizationId].filter(Boolean).join(" of "),
  );
  const ids = [payload, ...inner].flatMap((each) =>
    named.flatMap((name) => {
      const value = (each as Record<string, unknown>)[name];
      return typeof value === "string" && value ? [`${name.replace(/Id$/, "")} ${value}`] : [];
    }),
  );
  const all = [...new Set([...ids, ...events])];
  const more = all.length - aboutMax;
  return more > 0 ? [...all.slice(0, aboutMax), `${more} more`] : all;
}

/** What the log said, by job and attempt: it is large, and does not change. */
const reasons = new Map<string, string>();
const keyOf = ({ id, state, attempts }: DueJob) => `${id} ${state} ${attempts}`;

function reasonsIn(folder: string, jobs: readonly DueJob[]): (job: DueJob) => string | undefined {
  const asked = jobs.filter((job) => (job.state === "failed" || job.attempts > 0) && !reasons.has(keyOf(job)));
  const lines = asked.length > 0 ? keptLines(folder, '"cause":') : [];
  const last = new Map(lines.map((line) => [line.job, causeOf(line)]));
  for (const job of asked) reasons.set(keyOf(job), last.get(job.id) ?? "");
  return (job) => reasons.get(keyOf(job));
}
