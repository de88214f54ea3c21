import { expect, test } from "vitest";
import { listJobs, retryJob } from "../../../../../infra/console/server/operations/jobs.ts";
import { commit } from "../../../../../lib/jobs/commit.ts";
import * as Job from "../../../../../lib/jobs/store.ts";
import { newJob } from "../../../../../lib/store/job.ts";
import { newWorkspace } from "../../../../support/call.ts";

async function stored(workspace: string, more: object = {}) {
  const job = { ...newJob("purge", workspace, { secret: "hidden", progress: { done: 2, total: 5 } }), ...more };
  await commit([], { jobs: [job] });
  return job;
}

test("the jobs of the workspace are listed with their progress, without their payload", async () => {
  const [{ apiKey }, other] = [await newWorkspace(), await newWorkspace()];
  const job = await stored(apiKey, { shownAs: "folder-deletion" });
  await stored(other.apiKey);
  const jobs = await listJobs(apiKey);
  expect(jobs).toEqual([
    {
      id: job.id,
      kind: "purge",
      does: expect.stringMatching(/^Removes the data of deleted documents/),
      state: "waiting",
      attempts: 0,
      dueAt: new Date(job.dueAt).toISOString(),
      summary: "folder-deletion",
      progress: { done: 2, total: 5 },
    },
  ]);
  expect(await listJobs(apiKey, "failed")).toEqual([]);
});

test("a failed job is retried, and only a failed one of the workspace", async () => {
  const [{ apiKey }, other] = [await newWorkspace(), await newWorkspace()];
  const { id } = await stored(apiKey);
  await expect(retryJob(apiKey, id)).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
  const { job } = await Job.claim(id, 60_000);
  await Job.finish(job as Job.Running, "failed");
  for (const [key, jobId] of [
    [other.apiKey, id],
    [apiKey, "none"],
    [apiKey, ""],
  ] as const) {
    await expect(retryJob(key, jobId)).rejects.toMatchObject({ status: "NOT_FOUND" });
  }
  expect((await Job.get(id))?.state).toBe("failed");
  await retryJob(apiKey, id);
  expect(await Job.get(id)).toMatchObject({ state: "waiting", attempts: 0 });
});
