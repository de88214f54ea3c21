// Commands on jobs, and commands that delete data. They run in this process, on the engines of all tests.

import { afterEach, describe, expect, it, vi } from "vitest";
import { authtokensGet } from "../../../functions/auth-tokens/authtokens-get.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { taskOf } from "../../../lib/erasure/context.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import * as User from "../../../lib/store/access/user.ts";
import * as BeingErased from "../../../lib/store/erasure/being-erased.ts";
import { newJob } from "../../../lib/store/job.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { errorLine, mockStack, onStack, run } from "../../support/admin.ts";
import { call, newWorkspace } from "../../support/call.ts";
import { claimed, jobsOf } from "../../support/jobs.ts";

mockStack();
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const text = async (...args: string[]) => (await run([...args, "--stack", "s"])).stdout;
const json = (...args: string[]) => onStack(args);
const refusal = (...args: string[]) => errorLine([...args, "--stack", "s"]);

async function storeJob(workspace: string, end?: "done" | "failed", payload: object = {}): Promise<string> {
  const job = newJob("purge", workspace, { partitions: [], ...payload });
  await commit([], { jobs: [job] });
  if (end) await Job.finish(await claimed(job.id), end);
  return job.id;
}

describe("jobs", () => {
  it("are listed until they are done, filtered by workspace and by state", async () => {
    const w = `jobs-${crypto.randomUUID()}`;
    const [waiting, , failed] = [await storeJob(w), await storeJob(w, "done"), await storeJob(w, "failed")];
    const listed = await json("jobs", "list", "--workspace", w);
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual([waiting, failed].sort());
    expect(await json("jobs", "list", "--workspace", w, "--state", "failed")).toEqual([
      { id: failed, kind: "purge", workspace: w, state: "failed", attempts: 1, dueAt: expect.stringMatching(/Z$/) },
    ]);
    expect(await text("jobs", "list", "--workspace", w)).toMatch(/^ID +KIND +WORKSPACE +STATE/);
  });

  it("are printed with their payload, without secrets", async () => {
    const secrets = { authToken: "at_x", nested: [{ apiKeySealed: "blob", secret: "s", name: "plain" }] };
    const id = await storeJob("w", undefined, secrets);
    const payload = { partitions: [], authToken: "…", nested: [{ apiKeySealed: "…", secret: "…", name: "plain" }] };
    expect(await json("jobs", "show", id)).toMatchObject({ id, kind: "purge", state: "waiting", payload });
    expect(await text("jobs", "show", id)).not.toMatch(/at_x|blob/);
  });

  it("wait again after a retry of one or all failed jobs, and the output says when they run", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => storeJob("w", "failed")));
    expect(await json("jobs", "retry", ids[0] as string)).toEqual({ id: ids[0], retried: true, sent: true });
    vi.stubEnv("QUEUE_URL_PURGE", undefined);
    expect(await text("jobs", "retry", ids[1] as string)).toContain("its sweeper sends each retried job");
    expect(await Job.get(ids[1] as string)).toMatchObject({ state: "waiting", dueAt: 0, attempts: 0 });
    const all = await json("jobs", "retry", "--all");
    expect(all).toMatchObject({ ids: expect.arrayContaining([ids[2]]), sent: false });
    expect(await text("jobs", "retry", "--all")).toBe("No job has failed.\n");
  });

  it.each([
    [["jobs", "show", "nobody"], 'no job "nobody"'],
    [["jobs", "show", ""], 'no job ""'],
    [["jobs", "retry", "nobody"], 'no job "nobody"'],
    [["jobs", "retry"], "either a job id or --all"],
    [["jobs", "retry", "x", "--all"], "either a job id or --all"],
    [["jobs", "list", "--state", "done"], "waiting, running, failed"],
  ])("refuse the command line %j in one line", async (args, reason) => {
    expect(await refusal(...args)).toContain(reason);
  });

  it("cannot be retried unless they have failed", async () => {
    expect(await refusal("jobs", "retry", await storeJob("w"))).toContain("The job is waiting");
    expect(await refusal("jobs", "retry", await storeJob("w", "done"))).toContain("The job is done");
  });
});

describe("workspace delete", () => {
  it("refuses the workspace's calls after 30 seconds, removes it from the list, and stores its purge job", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const as = await newWorkspace();
    expect((await call(authtokensGet, { as })).status).toBe(200);
    const { job, ...rest } = await json("workspace", "delete", "--workspace", as.apiKey, "--yes");
    expect(rest).toEqual({ apiKey: as.apiKey, deleted: true });
    vi.setSystemTime(Date.now() + 30_001);
    expect((await call(authtokensGet, { as })).error?.status).toBe("PERMISSION_DENIED");
    expect((await Workspace.list()).map(({ apiKey }) => apiKey)).not.toContain(as.apiKey);
    expect(await AuthToken.list({ workspace: as.apiKey })).toEqual([]);
    expect((await jobsOf(as, "purge")).map(({ id }) => id)).toEqual([job]);
    expect(await refusal("workspace", "delete", "--workspace", as.apiKey, "--yes")).toContain("no workspace");
  });

  it("changes nothing without --yes", async () => {
    const { apiKey } = await newWorkspace();
    expect(await refusal("workspace", "delete", "--workspace", apiKey)).toContain("Add --yes");
    expect(await Workspace.get({ workspace: apiKey })).toBeDefined();
    expect(await jobsOf({ apiKey }, "purge")).toEqual([]);
  });
});

describe("user erase", () => {
  it("lets nobody add the user, and stores the job, but only with --yes and a known organization", async () => {
    const { apiKey } = await newWorkspace();
    const ref = { workspace: apiKey, organizationId: "o", userId: "ann" };
    const key = User.userEntity.key(ref);
    await createMissing(ref, [{ organizationId: "o" }]);
    await commit([User.change(ref, { profile: { name: "Ann" } }, "new")]);
    const erase = (organization: string, ...more: string[]) =>
      ["user", "erase", "--workspace", apiKey, "--organization", organization, "--user", "ann", ...more] as const;
    expect(await refusal(...erase("o"))).toContain("Add --yes");
    expect(await refusal(...erase("other", "--yes"))).toContain('no organization "other"');
    expect(await Table.get(key)).toMatchObject({ name: "Ann" });
    expect(await refusal(...erase("o", "--yes", "--user", "erased-user"))).toContain("stands for erased users");
    expect(await refusal(...erase("o", "--yes", "--user", "a\nb"))).toContain("control characters");
    expect(await refusal(...erase("o", "--yes", "--user", ""))).toContain("1 to 256 characters");
    expect(await jobsOf({ apiKey }, "purge")).toEqual([]);
    const { job } = await json(...erase("o", "--yes"));
    expect(await BeingErased.jobsOf(ref, ["ann"])).toEqual([["ann", [job]]]);
    const [stored] = await jobsOf({ apiKey }, "purge");
    const { erase: task } = await taskOf(apiKey, stored?.payload.erase as string);
    expect({ id: stored?.id, task }).toEqual({ id: job, task: { organizationId: "o", userIds: ["ann"] } });
  });

  it("says whether the organization had the user", async () => {
    const { apiKey } = await newWorkspace();
    const ref = { workspace: apiKey, organizationId: "o", userId: "ann" };
    await createMissing(ref, [{ organizationId: "o" }]);
    await commit([User.change(ref, { profile: { name: "Ann" } }, "new")]);
    const erase = (user: string) =>
      ["user", "erase", "--workspace", apiKey, "--organization", "o", "--user", user, "--yes"] as const;
    expect(await text(...erase("ann"))).toContain("ends the user's access");
    const reply = await text(...erase("nobody"));
    expect(reply).toContain('The organization has no user "nobody".');
    expect(reply).not.toContain("has ended");
    expect(await json(...erase("nobody"))).toMatchObject({ wasKnown: false, begun: true });
  });
});
