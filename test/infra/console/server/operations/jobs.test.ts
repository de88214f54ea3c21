import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listJobs, retryJob } from "../../../../../infra/console/server/operations/jobs.ts";
import { currentName } from "../../../../../infra/local/log-file.ts";
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

test("a failed job says when and why it failed, and what it is about", async () => {
  const { apiKey } = await newWorkspace();
  const folder = mkdtempSync(join(tmpdir(), "jobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const events = Array.from({ length: 7 }, (_, index) => ({ type: "document.add", documentId: `d${index}` }));
  const payload = {
    endpointId: "ep_1",
    users: [{ userId: "bob" }],
    secret: "hidden",
    eventsJson: JSON.stringify(events),
  };
  const { id } = await stored(apiKey, { payload });
  const line = (message: string, stack: string) =>
    `${JSON.stringify({ level: "error", message, job: id, cause: { name: "Error", stack } })}\n`;
  const text = line("job", "Error: Earlier.\n at x") + line("job failed", "Error: The mailbox is full.\n at x");
  writeFileSync(join(folder, currentName), text);
  const { job } = await Job.claim(id, 60_000);
  await Job.finish(job as Job.Running, "failed");
  const [failed] = await listJobs(apiKey, "failed", folder);
  expect(failed).toMatchObject({ reason: "Error: The mailbox is full.", attempts: 1 });
  expect(failed?.about).toEqual([
    ...["endpoint ep_1", "user bob", "document.add of d0", "document.add of d1", "document.add of d2", "4 more"],
  ]);
  expect(JSON.stringify(failed)).not.toContain("hidden");
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
