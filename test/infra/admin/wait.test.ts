import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { admin } from "../../../infra/admin/program.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { newJob } from "../../../lib/store/job.ts";
import { mockStack, onStack, run } from "../../support/admin.ts";
import { newWorkspace } from "../../support/call.ts";
import { claimed, jobsOf } from "../../support/jobs.ts";
import { runPurges } from "../../support/run-purges.ts";
import { untilHolds } from "../../support/turns.ts";

mockStack();
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

async function storedJob(payload: object = {}): Promise<string> {
  const job = newJob("purge", "w", { partitions: [], ...payload });
  await commit([], { jobs: [job] });
  return job.id;
}

/** Runs a command, and does the work after its first look at the job. */
async function whileWaiting(args: string[], work: () => Promise<unknown>) {
  const result = run([...args, "--stack", "s"]);
  await untilHolds(() => vi.getTimerCount() > 0);
  await work();
  await vi.advanceTimersByTimeAsync(1_000);
  return result;
}

describe("jobs wait", () => {
  it("ends with the job, and prints a line for each change of its progress", async () => {
    const id = await storedJob();
    const result = await whileWaiting(["jobs", "wait", id], async () => {
      await Job.finish(await claimed(id), "done", { progress: { done: 7, total: 7 } });
    });
    expect(result).toEqual({
      status: 0,
      stdout: "The job is done.\n",
      stderr: "purge job: waiting\npurge job: done, 7 of 7 done\n",
    });
  });

  it("says when a job that waits is due", async () => {
    const job = newJob("purge", "w", { partitions: [] }, 100);
    await commit([], { jobs: [job] });
    const result = await whileWaiting(["jobs", "wait", job.id], async () => {
      vi.setSystemTime(job.dueAt);
      await Job.finish(await claimed(job.id), "done");
    });
    const due = new Date(job.dueAt).toISOString().slice(11, 19);
    expect(result?.stderr).toBe(`purge job: waiting, due at ${due} UTC\npurge job: done\n`);
  });

  it("has the status 1 for a job that has failed, and says how to retry it", async () => {
    const id = await storedJob();
    await Job.finish(await claimed(id), "failed");
    const { status, stdout } = await run(["jobs", "wait", id, "--stack", "s"]);
    expect(status).toBe(1);
    expect(stdout).toContain(`npm run admin -- jobs retry ${id} --stack s`);
    expect(await onStackWith(1, ["jobs", "wait", id])).toEqual({ id, state: "failed" });
  });

  it("has the status 1 for a job that has ended without doing what was asked", async () => {
    const id = await storedJob();
    await Job.finish(await claimed(id), "done", { failure: "The folder has changed." });
    const { status, stdout } = await run(["jobs", "wait", id, "--stack", "s"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "The job has failed: The folder has changed.\n" });
  });

  it("changes one line of a terminal", async () => {
    const id = await storedJob();
    await Job.finish(await claimed(id), "done");
    const shown: string[] = [];
    const io = { stdin: process.stdin, print: () => {}, printError: (text: string) => void shown.push(text) };
    await admin(["jobs", "wait", id, "--stack", "s"], { ...io, isTerminal: true });
    expect(shown.join("")).toBe("\rpurge job: done\n");
  });
});

async function onStackWith(status: number, args: string[]) {
  const result = await run([...args, "--stack", "s", "--json"]);
  expect(result.status).toBe(status);
  return JSON.parse(result.stdout);
}

describe("a command that begins a job", () => {
  it("says how to follow the job", async () => {
    const { apiKey } = await newWorkspace();
    const { stdout } = await run(["workspace", "delete", "--workspace", apiKey, "--yes", "--stack", "s"]);
    const [job] = await jobsOf({ apiKey }, "purge");
    expect(stdout).toContain(`To follow it: npm run admin -- jobs wait ${job?.id} --stack s\n`);
  });

  it("waits for the job with --wait", async () => {
    const { apiKey } = await newWorkspace();
    const result = await whileWaiting(["workspace", "delete", "--workspace", apiKey, "--yes", "--wait"], async () => {
      await runPurges({ apiKey });
    });
    expect(result).toMatchObject({ status: 0, stdout: "The job is done.\n" });
    expect(result?.stderr).toMatch(/^Deleted .*\nTo follow it: npm run admin -- jobs wait [\w-]+ --stack s\npurge job/);
    expect(await onStack(["workspace", "list"])).not.toContainEqual(expect.objectContaining({ apiKey }));
  });

  it("shows the codes of hidden characters, also before its wait and in a failure", async () => {
    const { apiKey } = await newWorkspace();
    await createMissing({ workspace: apiKey }, [{ organizationId: "o" }]);
    const erase = (organization: string) => [
      "user",
      "erase",
      "--workspace",
      apiKey,
      "--organization",
      organization,
      "--user",
      "u\u202e",
      "--yes",
      "--wait",
    ];
    const result = await whileWaiting(erase("o"), async () => {
      const [job] = await jobsOf({ apiKey }, "purge");
      await Job.finish(await claimed(String(job?.id)), "done");
    });
    expect(result?.stderr).toMatch(/^The organization has no user "u\\u\{202e\}"/);
    const { stderr } = await run([...erase("o\u202e"), "--stack", "s"]);
    expect(stderr).toMatch(/^There is no organization "o\\u\{202e\}"/);
  });
});
