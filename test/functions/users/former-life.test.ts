// A user who is deleted and added again starts empty. A user who is being erased cannot be added.
import { expect, it, vi } from "vitest";
import { notificationsGet } from "../../../functions/notifications/notifications-get.ts";
import { notificationsRead } from "../../../functions/notifications/notifications-read.ts";
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { usersDataGet } from "../../../functions/personal-data/users-data-get.ts";
import { handler as enter, presenceAdd } from "../../../functions/presence/presence-add.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupUsersDelete } from "../../../functions/user-groups/usergroup-users-delete.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { purge } from "../../../functions/workers/purge.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { inboxEntryEntity } from "../../../lib/store/notifications/inbox.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { documentId, documentUidOf, newDocument, notify } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as n from "../../support/notifications.ts";
import { storedOf } from "../../support/refusal.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { groupRequest, membershipKey, newGroup } from "../../support/user-groups.ts";
import * as f from "../../support/workspace.ts";

fakeDates();

const organizationId = "o";
const users = [{ userId: "u", name: "Ada" }];
const add = (as: Credentials) => must(usersAdd, { as, data: { organizationId, users } });
const remove = (as: Credentials) => must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
const inboxOf = (as: Credentials) => must(notificationsGet, { as, data: { organizationId, userId: "u" } });
const presentOf = async (as: Credentials) =>
  (await must(presenceGet, { as, data: { organizationId, documentId } })).users.map(
    ({ userId }: { userId: string }) => userId,
  );
const exportOf = async (as: Credentials) =>
  (await call(usersDataGet, { as, data: { organizationId, userId: "u" } })).body.result.data;

async function again(as: Credentials): Promise<void> {
  await remove(as);
  await add(as);
}

it("a user who is added again has none of the earlier notifications, and gets new ones", async () => {
  const as = await newDocument();
  await add(as);
  await notify(as, await documentUidOf(as), 2, [{ userId: "u" }]);
  expect(await inboxOf(as)).toMatchObject({ unreadCount: 2 });
  expect((await exportOf(as)).notifications).toHaveLength(2);
  await again(as);
  expect(await inboxOf(as)).toMatchObject({ notifications: [], unreadCount: 0, nextPageToken: null });
  expect((await exportOf(as)).notifications).toEqual([]);
  const data = { organizationId, userId: "u", notificationIds: ["n0"] };
  expect((await must(notificationsRead, { as, data })).n0).toMatchObject({ code: "not-found" });
});

it("a notification that was added before the deletion does not reach the next life", async () => {
  const ids = ["u", "named", "guest"];
  const as = await n.newDocument(["stays"]);
  const addAll = async () => {
    await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u" }, { userId: "named" }] } });
    await f.give(as, "guest", f.onDocument("d"));
  };
  await addAll();
  await n.add(as, { notifyUsers: [{ userId: "named" }] });
  later(1);
  await must(usersDelete, { as, data: { organizationId, userIds: ids } });
  await addAll();
  await n.runNotify(as);
  expect(await n.recipientsAmong(as, ["stays", ...ids])).toEqual(["stays"]);
  await n.send(as, { notifyUsers: [{ userId: "named" }] });
  expect(await n.recipientsAmong(as, ids)).toEqual(ids);
});

it("the entries of a deleted user's inbox are purged, and no other user's", async () => {
  const as = await newDocument();
  await add(as);
  const documentUid = await documentUidOf(as);
  await notify(as, documentUid, 2, [{ userId: "u" }]);
  await again(as);
  const entries = async () => (await itemsOf(as.apiKey)).filter(({ entity }) => entity === inboxEntryEntity.name);
  expect(await entries()).toHaveLength(2);
  const [job] = await jobsOf(as, "purge");
  later(120);
  await deliver(purge, [String(job?.id)]);
  expect(await entries()).toEqual([]);
});

it("a user who is added again is not present until presence is added again", async () => {
  const as = await newDocument();
  await add(as);
  const enter = () => must(presenceAdd, { as, data: { organizationId, documentId, users: [{ userId: "u" }] } });
  await enter();
  expect(await presentOf(as)).toEqual(["u"]);
  await remove(as);
  expect(await presentOf(as)).toEqual([]);
  await add(as);
  expect(await presentOf(as)).toEqual([]);
  await enter();
  expect(await presentOf(as)).toEqual(["u"]);
});

it("a membership of a group belongs to one generation of the user", async () => {
  const as = await newGroup("u");
  const join = () => must(usergroupUsersAdd, { as, data: groupRequest(["u"]) });
  const key = await membershipKey(as, "u");
  await join();
  await again(as);
  expect(await Table.get(key)).not.toHaveProperty("generation");
  const leave = () => must(usergroupUsersDelete, { as, data: groupRequest(["u"]) });
  expect((await leave()).u.message).toBe("The user is not in the user group.");
  await join();
  expect(await Table.get(key)).toMatchObject({ generation: 1 });
  expect((await leave()).u.message).toBe("User removed from the user group.");
});

it("a membership of the next generation is not replaced by a call that read the one before", async () => {
  const as = await newGroup("u");
  const data = groupRequest(["u"]);
  let isRaced = false;
  interceptStore(async ({ constructor: { name } }) => {
    if (isRaced || (name !== "TransactWriteCommand" && name !== "PutCommand")) return;
    isRaced = true;
    await again(as);
    await must(usergroupUsersAdd, { as, data });
  });
  const results = await usergroupUsersAdd.handle({ data, caller: { workspace: as.apiKey } } as never);
  vi.restoreAllMocks();
  expect(isRaced).toBe(true);
  expect(results).toMatchObject({ u: { message: "User added to the user group." } });
  const key = await membershipKey(as, "u");
  expect(await Table.get(key)).toMatchObject({ generation: 1 });
});

it.each([
  ["one user", [], ["u"]],
  ["several", ["v"], ["u", "v"]],
])(
  "a presence of the next generation is not replaced by a call for %s that read the one before",
  async (_, others, expected) => {
    const as = await newDocument();
    await add(as);
    const dataOf = (ids: string[]) => ({ organizationId, documentId, users: ids.map((userId) => ({ userId })) });
    let isRaced = false;
    interceptStore(async ({ constructor: { name }, input }) => {
      const isPresence = JSON.stringify(input).includes("PRESENCE#");
      if (isRaced || !isPresence || (name !== "TransactWriteCommand" && name !== "PutCommand")) return;
      isRaced = true;
      await again(as);
      await must(presenceAdd, { as, data: dataOf(["u"]) });
    });
    expect(await f.callSource(enter, presenceAdd, dataOf(["u", ...others]), as)).toBe(200);
    vi.restoreAllMocks();
    expect(isRaced).toBe(true);
    expect(await presentOf(as)).toEqual(expected);
  },
);

it("nothing can add a user who is being erased, until the erasure is done", async () => {
  const as = await f.newOrganization();
  await add(as);
  const jobId = await beginErasure(as.apiKey, { userIds: ["u"] });
  const resources = [f.onOrganization()];
  await f.giveToken(as, { userId: "v", resources });
  const before = await storedOf(as);
  const withNew = [f.onOrganization(), f.onOrganization({ id: "new" })];
  const calls = [
    () => call(usersAdd, { as, data: { organizationId, users: [{ userId: "w" }, ...users] } }),
    () => call(permissionsAdd, { as, data: { user: { userId: "u" }, permissions: { resources } } }),
    () => f.giveToken(as, { resources }),
    () => f.giveToken(as, { resources: withNew }),
    // It would open public documents.
    () => f.giveToken(as, { resources: [] }),
  ];
  for (const refused of calls) {
    const { status, error } = await refused();
    expect([status, error?.status]).toEqual([409, "ABORTED"]);
    expect(error?.message).toContain(`is being erased by job ${jobId}.`);
  }
  expect(await storedOf(as)).toEqual(before);
  expect(await remove(as)).toMatchObject({ u: { success: true } });
  expect((await calls[0]?.())?.status).toBe(409);
  for (let runs = 0; runs < 3; runs++) {
    expect((await calls[0]?.())?.status).toBe(409);
    await deliver(purge, [jobId]);
    later(61);
  }
  expect((await calls[0]?.())?.data).toMatchObject({ u: { success: true }, w: { success: true } });
  later(600);
  await deliver(purge, [jobId]);
  expect((await f.onWhole(as, "u")).accessRole).toBe("editor");
});
