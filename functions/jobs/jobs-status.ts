import * as z from "zod/mini";
import { notFound } from "../../lib/errors.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import * as Jobs from "../../lib/jobs/store.ts";
import { hasEnded } from "../../lib/retention.ts";
import { type JobStatus, jobStatuses, shownKinds } from "../../lib/schema/jobs.ts";
import { Id } from "../../lib/schema/primitives.ts";
import * as Receipt from "../../lib/store/erasure/receipt.ts";
import type { Job } from "../../lib/store/job.ts";

export const jobsStatus = endpoint({
  name: "jobs-status",
  path: "/v2/jobs/status",
  summary: "Get the status of a job",
  description: "Get the status of a job that another call has returned.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({ jobId: Id.check(z.describe("The job, from the reply of the call that started it.")) }),
  example: { jobId: "job-3" },
  reply: z.object({
    jobId: z.string().check(z.describe("The job, as in the request.")),
    kind: z.enum(shownKinds).check(z.describe("What the job does.")),
    status: z
      .enum(jobStatuses)
      .check(z.describe("pending and in_progress: it is not done yet, ask again. completed and failed: it has ended.")),
    progress: z
      .object({
        done: z.number().check(z.describe("How many items are done.")),
        total: z.optional(z.number()).check(z.describe("How many items there are. Absent while it is not known.")),
      })
      .check(z.describe("How far the job has come. `total` is absent while it is not known.")),
    receipt: z
      .optional(z.string())
      .check(
        z.describe(
          "Of a completed erasure: a JWS, to be verified with the keys of /.well-known/jwks/{apiKey}/records.",
        ),
      ),
    reason: z.optional(z.string()).check(z.describe("Why the job failed. Absent in other states.")),
  }),
  message: "Job status retrieved.",

  async handle({ data: { jobId }, caller: { workspace } }) {
    const job = await shownJob(workspace, jobId);
    if (!job) throw notFound("job");
    return job;
  },
});
export const handler = readLambda(jobsStatus);

/**
 * The job as its workspace sees it. Undefined for a job whose id no call has returned, since internal jobs are no part of
 * the API, and for a job that is no longer kept.
 */
async function shownJob(workspace: string, jobId: string) {
  const stored: (Job & { ttl?: number }) | undefined = await Jobs.get(jobId);
  const job = stored?.workspace === workspace && !hasEnded(stored) ? stored : undefined;
  const status = job && statusOf(job);
  // The receipt is stored before the job is done. So it is read after the job.
  const receipt = !status || status === "completed" ? await Receipt.get({ workspace, jobId }) : undefined;
  if (receipt) {
    const { kind, progress, jws } = receipt;
    return { jobId, kind, progress, status: "completed" as const, receipt: jws };
  }
  if (!job?.shownAs || !status) return undefined;
  const { progress = { done: 0 } } = job.payload;
  const reason = reasonOf(job);
  return { jobId, kind: job.shownAs, status, progress, ...(reason !== undefined && { reason }) };
}

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
