import { describe, expect, it } from "vitest";
import { handler, jobsStatus } from "../../../functions/jobs/jobs-status.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { recordFailure, recordResult } from "../../../lib/jobs/run-job.ts";
import * as Job from "../../../lib/jobs/store.ts";
import type { RunResult } from "../../../lib/jobs/worker.ts";
import { type Job as JobItem, jobEntity, newJob } from "../../../lib/store/job.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { claimed } from "../../support/jobs.ts";
import { callSource, issuesOf, mocked } from "../../support/workspace.ts";

const kind = "folder-deletion";
const newShown = ({ apiKey }: Credentials, payload: JobItem["payload"] = {}): JobItem => ({
  ...newJob("purge", apiKey, payload),
  shownAs: kind,
});

async function stored(job: JobItem): Promise<string> {
  await commit([], { jobs: [job] });
  return job.id;
}

/** Ends a run of the job with this result. */
const afterRun = async (jobId: string, result: RunResult) => recordResult(await claimed(jobId), result);
const statusOf = (as: Credentials, jobId: string) => must(jobsStatus, { as, data: { jobId } });

describe("OK", () => {
  it("shows a job before, during and after its runs, with the progress that its worker reports", async () => {
    const as = await newWorkspace();
    const jobId = await stored(newShown(as));
    const shown = { jobId, kind };
    expect(await statusOf(as, jobId)).toEqual({ ...shown, status: "pending", progress: { done: 0 } });
    const first = { progress: { done: 3 } };
    await afterRun(jobId, { again: { payload: first, delaySeconds: 0 } });
    expect(await statusOf(as, jobId)).toEqual({ ...shown, status: "in_progress", ...first });
    const running = await claimed(jobId);
    expect(await statusOf(as, jobId)).toEqual({ ...shown, status: "in_progress", ...first });
    const last = { progress: { done: 4, total: 4 } };
    await recordResult(running, { done: last });
    expect(await statusOf(as, jobId)).toEqual({ ...shown, status: "completed", ...last });
  });

  it("keeps the progress of a job that is done without a last report", async () => {
    const as = await newWorkspace();
    const jobId = await stored(newShown(as, { progress: { done: 2, total: 2 } }));
    await afterRun(jobId, "done");
    expect(await statusOf(as, jobId)).toMatchObject({ status: "completed", progress: { done: 2, total: 2 } });
  });

  it("shows a job as in progress before its first report, while it runs and after a run that failed", async () => {
    const as = await newWorkspace();
    const jobId = await stored(newShown(as));
    const running = await claimed(jobId);
    expect((await statusOf(as, jobId)).status).toBe("in_progress");
    await recordFailure(running);
    expect((await statusOf(as, jobId)).status).toBe("in_progress");
  });

  it("gives a plain reason when all runs have failed, and nothing of the payload", async () => {
    const as = await newWorkspace();
    const jobId = await stored(newShown(as, { partitions: ["secret"] }));
    await Job.finish(await claimed(jobId), "failed");
    const reason = "The job failed several times in a row. The operator of the service can retry it.";
    const failed = { jobId, kind, status: "failed", progress: { done: 0 }, reason };
    expect(await statusOf(as, jobId)).toEqual(failed);
    await Job.retry({ id: jobId, workspace: as.apiKey }, Date.now());
    expect((await statusOf(as, jobId)).status).toBe("pending");
  });

  it("shows the worker's reason for a job that ended without having done what was asked", async () => {
    const as = await newWorkspace();
    const jobId = await stored(newShown(as));
    await afterRun(jobId, { done: { failure: "The folder is not empty.", progress: { done: 1 } } });
    const failed = { status: "failed", reason: "The folder is not empty.", progress: { done: 1 } };
    expect(await statusOf(as, jobId)).toEqual({ jobId, kind, ...failed });
  });
});

describe("NOT_FOUND", () => {
  it("is returned alike for an unknown job, another workspace's, one that no call returned, and an expired one", async () => {
    const [as, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const expired = newShown(as);
    await commit([jobEntity.put({ jobId: expired.id }, { ...expired, state: "done", ttl: 1 })]);
    const ids = ["unknown", await stored(newShown(other)), await stored(newJob("purge", as.apiKey, {})), expired.id];
    const replies = await Promise.all(ids.map((jobId) => call(jobsStatus, { as, data: { jobId } })));
    const error = { status: "NOT_FOUND", message: "The job does not exist." };
    expect(replies.map((each) => each.error)).toEqual(ids.map(() => error));
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a missing or an empty id", async () => {
    const as = await newWorkspace();
    expect(await issuesOf(jobsStatus, as, {})).toEqual(["jobId"]);
    expect(await issuesOf(jobsStatus, as, { jobId: "" })).toEqual(["jobId"]);
  });
});

describe("AWS calls", () => {
  it("makes three reads: the receipt is read after the job, since it is stored before the job is done", async () => {
    const aws = mockAws([...mocked.rows]);
    expect(await callSource(handler, jobsStatus, { jobId: "j#1" })).toBe(404);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/),
      "Get JOB#j#1 JOB",
      "Get W#w#RECEIPTS#1 j%231",
    ]);
    aws.restore();
  });
});
