// A user who got grants through permissions/add and has no profile (DECISIONS.md#users-without-a-profile).
import { expect, it } from "vitest";
import { notificationsConfigGet } from "../../../functions/notifications/notifications-config-get.ts";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { notificationsRead } from "../../../functions/notifications/notifications-read.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usersDataGet } from "../../../functions/personal-data/users-data-get.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { inboxOf, recipientsAmong, send, toU } from "../../support/notifications.ts";
import { itemsOf } from "../../support/scan.ts";
import { groupRequest, newGroup } from "../../support/user-groups.ts";
import * as f from "../../support/workspace.ts";

fakeDates();

const { organizationId } = f;
const unset = { inbox: "ALL", email: "MINE", slack: "MINE" };
const places = [
  ["organization", f.onOrganization()],
  ["folder", f.onFolder("f")],
  ["document", f.onDocument("d")],
] as const;

/** The user `u` with one grant. The document `d` is in the folder `f`. */
async function arrange(grant: object = f.onDocument("d")): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" });
  await f.addDocuments(as, "f", "d");
  await f.give(as, "u", grant);
  return as;
}

const change = (as: Credentials, documentIds: string[], config: object) =>
  must(notificationsConfigSet, { as, data: { organizationId, documentIds, userIds: ["u"], config } });
async function configsOf(as: Credentials) {
  const data = { organizationId, userId: "u", documentIds: ["d"], getOrganizationConfig: true };
  return (await must(notificationsConfigGet, { as, data })).map(({ config }: { config: object }) => config);
}
const done = expect.objectContaining({ success: true });
const notFound = expect.objectContaining({ success: false, code: "not-found" });

it.each(places)("sets and gets preferences with a grant on the %s, and they hold", async (_what, grant) => {
  const as = await arrange(grant);
  await send(as);
  expect(await recipientsAmong(as, ["u"])).toEqual(["u"]);
  expect(await change(as, [], { email: "MINE" })).toEqual({ u: done });
  expect(await change(as, ["d"], { inbox: "NONE" })).toEqual({ u: done });
  expect(await configsOf(as)).toEqual([
    { ...unset, inbox: "NONE", email: "MINE" },
    { ...unset, email: "MINE" },
  ]);
  await send(as);
  expect(await recipientsAmong(as, ["u"])).toEqual(["u"]);
});

it.each(places)("keeps notifications and preferences when the grant on the %s ends", async (_what, grant) => {
  const as = await arrange(grant);
  await send(as);
  await change(as, ["d"], { slack: "NONE" });
  await must(permissionsRemove, { as, data: { user: { userId: "u" }, permissions: { resources: [grant] } } });
  expect(await recipientsAmong(as, ["u"])).toEqual(["u"]);
  expect(await configsOf(as)).toEqual([{ ...unset, slack: "NONE" }, unset]);
  expect(await change(as, [], { inbox: "NONE" })).toEqual({ u: done });
});

it.each(places)(
  "ends with users/delete, with a grant on the %s, and starts empty with a new one",
  async (_w, grant) => {
    const as = await arrange(grant);
    await send(as);
    await change(as, ["d"], { inbox: "NONE" });
    await change(as, [], { email: "NONE" });
    const removal = { as, data: { organizationId, userIds: ["u"] } };
    expect(await must(usersDelete, removal)).toMatchObject({ u: { success: true, message: "User deleted." } });
    expect(await must(usersDelete, removal)).toMatchObject({ u: { message: "The user does not exist." } });
    expect(await change(as, ["d"], { inbox: "NONE" })).toEqual({ u: notFound });
    expect(await configsOf(as)).toEqual([unset, unset]);
    await f.give(as, "u", grant);
    expect(await configsOf(as)).toEqual([unset, unset]);
    expect((await inboxOf(as, "u")).notifications).toEqual([]);
    expect(await change(as, ["d"], { inbox: "MINE" })).toEqual({ u: done });
  },
);

it("is erased with all preferences and notifications", async () => {
  const as = await arrange();
  await send(as);
  await change(as, ["d"], { inbox: "NONE" });
  await erased(await beginErasure(as.apiKey, { organizationId, userIds: ["u"] }));
  const left = (await itemsOf(as.apiKey)).filter(({ userId }) => userId === "u");
  expect(left.map(({ entity }) => entity)).toEqual(["user"]);
  expect(left[0]).not.toHaveProperty("wasGranted");
});

it("can mark notifications as read, and has them in the export, without a profile", async () => {
  const as = await arrange();
  await send(as, { notificationId: "n" });
  const read = { organizationId, userId: "u", notificationIds: ["n"] };
  expect(await must(notificationsRead, { as, data: read })).toEqual({ n: done });
  const { body } = await call(usersDataGet, { as, data: { organizationId, userId: "u" } });
  expect(body.result.data).toMatchObject({ profile: null, notifications: [{ notificationId: "n" }] });
});

it("has a role that users/update changes, joins groups, and is listed when users/add adds the profile", async () => {
  const as = await newGroup("v");
  await f.addDocuments(as, undefined, "d");
  await f.give(as, "u", f.onDocument("d"));
  await change(as, ["d"], { inbox: "MINE" });
  const update = (more: object) => {
    const users = [{ userId: "u", accessRole: "viewer" }];
    return must(usersUpdate, { as, data: { organizationId, users, ...more } });
  };
  for (const where of [{}, { documentId: "d" }]) expect(await update(where)).toEqual({ u: done });
  expect(await must(usergroupUsersAdd, { as, data: groupRequest(["u"]) })).toEqual({ u: done });
  const listed = async () => (await must(usersGet, { as, data: { organizationId } })).users;
  expect(await listed()).toMatchObject([{ userId: "v" }]);
  const users = [{ userId: "u", name: "U", accessRole: "viewer" }];
  expect(await must(usersAdd, { as, data: { organizationId, users } })).toEqual({ u: done });
  expect(await listed()).toHaveLength(2);
  expect(await configsOf(as)).toEqual([{ ...unset, inbox: "MINE" }, unset]);
  expect(await update({})).toEqual({ u: done });
});

it("does not begin by being named in a notification", async () => {
  const as = await arrange(f.onDocument("other"));
  await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
  await send(as, toU);
  expect(await recipientsAmong(as, ["u"])).toEqual(["u"]);
  for (const documentIds of [["d"], []])
    expect(await change(as, documentIds, { inbox: "NONE" })).toEqual({ u: notFound });
});
