import { afterEach, describe, expect, it, vi } from "vitest";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { handler, usersDelete } from "../../../functions/users/users-delete.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

afterEach(() => void vi.restoreAllMocks());

const remove = (as: Credentials, ...userIds: string[]) =>
  must(usersDelete, { as, data: { organizationId: "o", userIds } });
const add = (as: Credentials, userId: string, more: object = {}) =>
  must(usersAdd, { as, data: { organizationId: "o", users: [{ userId }], ...more } });
const usersOf = async (as: Credentials) => (await must(usersGet, { as, data: { organizationId: "o" } })).users;
const deleted = (id: string) => ({ success: true, id, message: "User deleted." });
const unknown = (id: string) => ({ success: true, id, message: "The user does not exist." });
const denied = { errorCode: "permission_denied" };

async function withGrants(userId: string) {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" });
  await f.addDocuments(as, undefined, "d");
  await f.give(as, userId, f.onFolder("f"), f.onDocument("d"));
  return { as, asked: { userIds: [userId], folderIds: ["f"], documentIds: ["d"] } };
}
const allDenied = { folders: { f: denied }, documents: { d: denied }, organization: { o: denied } };

describe("OK", () => {
  it("ends all grants, also for a user who is added again", async () => {
    const { as, asked } = await withGrants("u");
    await add(as, "u");
    await add(as, "v");
    expect(await remove(as, "u", "u")).toEqual({ u: deleted("u") });
    expect(await usersOf(as)).toMatchObject([{ userId: "v" }]);
    expect((await f.permissionsOf(as, asked)).u).toMatchObject(allDenied);
    await add(as, "u", { folderId: "elsewhere" });
    expect((await f.permissionsOf(as, asked)).u).toMatchObject(allDenied);
    await f.give(as, "u", f.onDocument("d"));
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "editor" });
  });

  it("ends all grants at every deletion of the same user", async () => {
    const { as, asked } = await withGrants("u");
    for (let round = 0; round < 3; round++) {
      await add(as, "u", { documentId: "d" });
      expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "editor" });
      await remove(as, "u");
      expect((await f.permissionsOf(as, asked)).u).toMatchObject(allDenied);
    }
  });

  it("ends the grants of a user without a profile", async () => {
    const { as, asked } = await withGrants("u");
    expect(await remove(as, "u")).toEqual({ u: deleted("u") });
    expect((await f.permissionsOf(as, asked)).u).toMatchObject(allDenied);
  });

  it("ends a grant whose document does not exist yet", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onDocument("d"));
    await remove(as, "u");
    await f.addDocuments(as, undefined, "d");
    expect(await f.onOne(as, "u", "d")).toMatchObject(denied);
  });

  it("reports a missing user in a successful reply, and does not change another workspace's user", async () => {
    const [alice, bob] = [await f.newOrganization(), await newWorkspace()];
    await add(alice, "u");
    expect(await remove(bob, "u")).toEqual({ u: unknown("u") });
    expect(await remove(alice, "u", "x")).toEqual({ u: deleted("u"), x: unknown("x") });
    expect(await remove(alice, "u")).toEqual({ u: unknown("u") });
  });

  it("emits an event for each deleted user, and none for users who did not exist", async () => {
    const as = await f.newOrganization();
    await add(as, "u");
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["user.delete"] });
    await remove(as, "u", "x");
    await remove(as, "u");
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events);
    expect(events).toMatchObject([{ type: "user.delete", organizationId: "o", data: { userId: "u" } }]);
  });

  it("accepts any id", async () => {
    const as = await f.newOrganization();
    const users = f.oddIds.map((userId) => ({ userId }));
    await must(usersAdd, { as, data: { organizationId: "o", users } });
    const results = Object.entries(await remove(as, ...f.oddIds));
    expect(results.toSorted()).toEqual(f.oddIds.map((id) => [id, deleted(id)]).toSorted());
    expect(await usersOf(as)).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["an empty list of ids", { organizationId: "o", userIds: [] }, ["userIds"]],
    ["1,001 ids", { organizationId: "o", userIds: Array(1_001).fill("u") }, ["userIds"]],
    ["an empty request", {}, ["organizationId", "userIds"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(usersDelete, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("beside another call", () => {
  /** Deletes the user, and runs `other` after the user was read. */
  async function removeDuring({ apiKey: workspace }: Credentials, other: () => Promise<unknown>) {
    let isRaced = false;
    const race = async ({ constructor: { name } }: { constructor: { name: string } }) => {
      if (isRaced || name !== "BatchGetCommand") return;
      isRaced = true;
      await other();
    };
    interceptStore(() => {}, race);
    const results = await usersDelete.handle({
      data: { organizationId: "o", userIds: ["u"] },
      caller: { workspace },
    } as never);
    vi.restoreAllMocks();
    expect(isRaced).toBe(true);
    return results;
  }

  it("keeps a user who is added after the call has found nobody", async () => {
    const as = await f.newOrganization();
    expect(await removeDuring(as, () => add(as, "u"))).toEqual({ u: unknown("u") });
    expect(await usersOf(as)).toMatchObject([{ userId: "u" }]);
  });

  it("says that it deleted a user who got a profile after the call had found a grant", async () => {
    const { as, asked } = await withGrants("u");
    expect(await removeDuring(as, () => add(as, "u"))).toEqual({ u: deleted("u") });
    expect(await usersOf(as)).toEqual([]);
    expect((await f.permissionsOf(as, asked)).u).toMatchObject(allDenied);
  });

  it("stores nothing for a user who does not exist", async () => {
    const as = await f.newOrganization();
    const before = await itemsOf(as.apiKey);
    expect(await remove(as, "u")).toEqual({ u: unknown("u") });
    expect(await itemsOf(as.apiKey)).toEqual(before);
  });
});

describe("AWS calls", () => {
  it("reads the users and writes their tombstones and the purge of their inboxes in one transaction", async () => {
    const aws = mockAws([...f.mocked.rows, f.mockedUser("u"), f.mockedUser("v")]);
    const data = { organizationId: "o", userIds: ["u", "v"] };
    expect(await f.callSource(handler, usersDelete, data)).toBe(200);
    const [u, v] = [f.keyText.user("u"), f.keyText.user("v")];
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      `BatchGet ${u}, ${v}, W#w#O#o ORG`,
      expect.stringMatching(/^TransactWrite /),
      "SendMessageBatch",
    ]);
    const condition =
      "if {no generation & createdAt & no wasGranted & no accessRole & no notifyEmail & no notifySlack}";
    expect(aws.calls()[2]).toMatch(`TransactWrite Put ${u} ${condition}, Put ${v} ${condition}, Put JOB#`);
    aws.restore();
  });
});
