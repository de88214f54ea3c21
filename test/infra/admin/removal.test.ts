// Commands on jobs, and those that delete for good, on the engines that all tests share.
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { authtokensGet } from "../../../functions/workspace/authtokens-get.ts";
import { admin } from "../../../infra/admin/program.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { newJob } from "../../../lib/jobs/queue.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as AuthToken from "../../../lib/store/auth-token.ts";
import { keys } from "../../../lib/store/keys.ts";
import * as Organization from "../../../lib/store/organization.ts";
import * as User from "../../../lib/store/user.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { call, newWorkspace } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";

const { TABLE_NAME = "", KMS_KEY_ID = "" } = process.env;
const cloudFormation = mockClient(CloudFormationClient);

beforeEach(() => {
  const Outputs = Object.entries({ TableName: TABLE_NAME, KeyId: KMS_KEY_ID }).map(([OutputKey, OutputValue]) => ({
    OutputKey,
    OutputValue,
  }));
  const stack = { StackName: "s", CreationTime: new Date(0), StackStatus: "CREATE_COMPLETE" as const, Outputs };
  cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [stack] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

async function run(...args: string[]) {
  const said = { stdout: "", stderr: "" };
  const print = (text: string) => {
    said.stdout += text;
  };
  const complain = (text: string) => {
    said.stderr += text;
  };
  const status = await admin([...args, "--stack", "s"], { stdin: process.stdin, print, complain });
  return { status, ...said };
}

async function json(...args: string[]) {
  const { status, stdout, stderr } = await run(...args, "--json");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function complaint(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(...args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr;
}

async function storeJob(workspace: string, end?: "done" | "failed", payload: object = {}): Promise<string> {
  const job = newJob("purge", workspace, { partitions: [], ...payload });
  await commit([], { jobs: [job] });
  const claimed = end && (await Job.claim(job.id, 60_000));
  if (claimed) await Job.finish(claimed, end);
  return job.id;
}

describe("jobs", () => {
  it("are listed until they are done, by workspace and by state", async () => {
    const w = `jobs-${crypto.randomUUID()}`;
    const [waiting, , failed] = [await storeJob(w), await storeJob(w, "done"), await storeJob(w, "failed")];
    const listed = await json("jobs", "list", "--workspace", w);
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([waiting, failed].sort());
    expect(await json("jobs", "list", "--workspace", w, "--state", "failed")).toEqual([
      { id: failed, kind: "purge", workspace: w, state: "failed", attempts: 1, dueAt: expect.stringMatching(/Z$/) },
    ]);
    expect((await run("jobs", "list", "--workspace", w)).stdout).toMatch(/^ID +KIND +WORKSPACE +STATE/);
  });

  it("are shown with their payload, less what is secret", async () => {
    const secrets = { authToken: "at_x", nested: [{ apiKeySealed: "blob", secret: "s", name: "plain" }] };
    const id = await storeJob("w", undefined, secrets);
    const payload = { partitions: [], authToken: "…", nested: [{ apiKeySealed: "…", secret: "…", name: "plain" }] };
    expect(await json("jobs", "show", id)).toMatchObject({ id, kind: "purge", state: "waiting", payload });
    expect((await run("jobs", "show", id)).stdout).not.toMatch(/at_x|blob/);
  });

  it("that failed run again, one or all, and it is said who finds them", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => storeJob("w", "failed")));
    expect(await json("jobs", "retry", ids[0] as string)).toEqual({ id: ids[0], retried: true, sent: true });
    vi.stubEnv("QUEUE_URL_PURGE", undefined);
    expect((await run("jobs", "retry", ids[1] as string)).stdout).toContain("the sweeper finds it");
    expect(await Job.get(ids[1] as string)).toMatchObject({ state: "waiting", dueAt: 0, attempts: 0 });
    const all = await json("jobs", "retry", "--all");
    expect(all).toMatchObject({ ids: expect.arrayContaining([ids[2]]), sent: false });
    expect((await run("jobs", "retry", "--all")).stdout).toBe("No job has failed.\n");
  });

  it.each([
    [["jobs", "show", "nobody"], 'no job "nobody"'],
    [["jobs", "show", ""], 'no job ""'],
    [["jobs", "retry", "nobody"], 'no job "nobody"'],
    [["jobs", "retry"], "either the id of a job, or --all"],
    [["jobs", "retry", "x", "--all"], "either the id of a job, or --all"],
    [["jobs", "list", "--state", "done"], "waiting, running, failed"],
  ])("%j is refused in one line", async (args, reason) => {
    expect(await complaint(...args)).toContain(reason);
  });

  it("cannot be retried unless they have failed", async () => {
    expect(await complaint("jobs", "retry", await storeJob("w"))).toContain("The job is waiting");
    expect(await complaint("jobs", "retry", await storeJob("w", "done"))).toContain("The job is done");
  });
});

describe("workspace delete", () => {
  it("refuses its calls, takes it off the list, and stores the purge of all that it holds", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const as = await newWorkspace();
    expect((await call(authtokensGet, { as })).status).toBe(200);
    const { job, ...rest } = await json("workspace", "delete", "--workspace", as.apiKey, "--yes");
    expect(rest).toEqual({ apiKey: as.apiKey, deleted: true });
    vi.setSystemTime(Date.now() + 30_001);
    expect((await call(authtokensGet, { as })).error?.status).toBe("PERMISSION_DENIED");
    expect((await Workspace.list()).map(({ apiKey }) => apiKey)).not.toContain(as.apiKey);
    expect(await AuthToken.list(as.apiKey)).toEqual([]);
    expect((await jobsOf(as, "purge")).map(({ id }) => id)).toEqual([job]);
    expect(await complaint("workspace", "delete", "--workspace", as.apiKey, "--yes")).toContain("no workspace");
  });

  it("changes nothing without --yes", async () => {
    const { apiKey } = await newWorkspace();
    expect(await complaint("workspace", "delete", "--workspace", apiKey)).toContain("add --yes");
    expect(await Workspace.get(apiKey)).toBeDefined();
    expect(await jobsOf({ apiKey }, "purge")).toEqual([]);
  });
});

describe("user erase", () => {
  it("ends the user's access and stores the job; without --yes, or an organization, it changes nothing", async () => {
    const { apiKey } = await newWorkspace();
    const user = keys.user(apiKey, "o", "ann");
    await Organization.createMissing(apiKey, [{ organizationId: "o" }]);
    await commit([User.change(apiKey, "o", "ann", { profile: { name: "Ann" } }, "new")]);
    const erase = (organization: string, ...more: string[]) =>
      ["user", "erase", "--workspace", apiKey, "--organization", organization, "--user", "ann", ...more] as const;
    expect(await complaint(...erase("o"))).toContain("add --yes");
    expect(await complaint(...erase("other", "--yes"))).toContain('no organization "other"');
    expect(await Table.get(user)).toMatchObject({ name: "Ann" });
    const { job } = await json(...erase("o", "--yes"));
    expect(await Table.get(user)).toEqual({ ...user, userId: "ann", life: 1 });
    const [stored] = await jobsOf({ apiKey }, "purge");
    expect(stored).toMatchObject({ id: job, payload: { erase: { organizationId: "o", userId: "ann" } } });
  });
});
