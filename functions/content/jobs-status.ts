import * as z from "zod/mini";
import { notFound } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { shownJob } from "../../lib/jobs/shown.ts";
import { jobStatuses, shownKinds } from "../../lib/schema/jobs.ts";
import { Id } from "../../lib/schema/primitives.ts";

export const jobsStatus = endpoint({
  name: "jobs-status",
  path: "/v2/jobs/status",
  group: "content",
  summary: "Get the status of a job",
  description: "Get the status of a job that another call has returned.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({ jobId: Id }),
  example: { jobId: "job-3" },
  reply: z.object({
    jobId: z.string(),
    kind: z.enum(shownKinds).check(z.describe("What the job does.")),
    status: z.enum(jobStatuses),
    progress: z
      .object({ done: z.number(), total: z.optional(z.number()) })
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
    return { ...job };
  },
});
export const handler = readLambda(jobsStatus);
