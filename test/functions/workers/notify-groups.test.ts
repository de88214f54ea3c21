// The members of the user groups that a notification names.
import { afterEach, expect, it, vi } from "vitest";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupUsersDelete } from "../../../functions/user-groups/usergroup-users-delete.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { usergroupsDelete } from "../../../functions/user-groups/usergroups-delete.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import * as UserGroup from "../../../lib/store/access/user-group.ts";
import { inboxEntryEntity } from "../../../lib/store/notifications/inbox.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as n from "../../support/notifications.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

afterEach(() => void vi.restoreAllMocks());

const { organizationId } = f;
const toGroups = (...ids: string[]) => ({ notifyAll: false, notifyUserGroups: ids });
const profiles = (as: Credentials, ...ids: string[]) =>
  must(usersAdd, { as, data: { organizationId, users: ids.map((userId) => ({ userId })) } });
const addGroup = (as: Credentials, organizationUserGroupId: string) =>
  must(usergroupsAdd, { as, data: { organizationId, organizationUserGroups: [{ organizationUserGroupId }] } });
const join = (as: Credentials, organizationUserGroupId: string, ...userIds: string[]) =>
  must(usergroupUsersAdd, { as, data: { organizationId, organizationUserGroupId, userIds } });
const deleteGroup = (as: Credentials, id: string) =>
  must(usergroupsDelete, { as, data: { organizationId, organizationUserGroupIds: [id] } });

/** The users with an entry, one for each entry. */
const reached = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey))
    .flatMap(({ entity, userId }) => (entity === inboxEntryEntity.name ? String(userId) : []))
    .sort();

async function newGroup(id: string, ...userIds: string[]): Promise<Credentials> {
  const as = await n.newDocument();
  await profiles(as, ...userIds);
  await addGroup(as, id);
  await join(as, id, ...userIds);
  return as;
}

it("reaches each user once who is in several groups, named, and a member of the organization", async () => {
  const as = await newGroup("g", "u", "guest");
  await profiles(as, "other");
  await addGroup(as, "h");
  await join(as, "h", "u", "other");
  await n.addMembers(as, ["u", "member"]);
  await n.send(as, { notifyUserGroups: ["g", "h", "g"], notifyUsers: [{ userId: "u" }] });
  expect(await reached(as)).toEqual(["guest", "member", "other", "u"]);
});

it("reaches only the groups and the named users when notifyAll is false", async () => {
  const as = await newGroup("g", "u", "v");
  await n.addMembers(as, ["member"]);
  await n.send(as, { ...toGroups("g"), notifyUsers: [{ userId: "named" }] });
  expect(await reached(as)).toEqual(["named", "u", "v"]);
});

it("reaches whoever is in the group when the worker reads it", async () => {
  const as = await newGroup("g", "leaves", "stays");
  await profiles(as, "joins");
  await n.add(as, toGroups("g"));
  await must(usergroupUsersDelete, {
    as,
    data: { organizationId, organizationUserGroupId: "g", userIds: ["leaves"] },
  });
  await join(as, "g", "joins");
  await n.runNotify(as);
  expect(await reached(as)).toEqual(["joins", "stays"]);
});

it("reaches nobody of a group that was deleted since the call, also if its id was added again", async () => {
  const as = await newGroup("g", "u");
  await profiles(as, "v");
  await n.add(as, toGroups("g"));
  await deleteGroup(as, "g");
  await addGroup(as, "g");
  await join(as, "g", "v");
  await n.add(as, { ...toGroups("g"), notificationId: "later" });
  await deleteGroup(as, "g");
  await n.runNotify(as);
  expect(await reached(as)).toEqual([]);
});

it("omits a member who was deleted since joining, also one who was added again", async () => {
  const as = await newGroup("g", "u", "gone", "again");
  await must(usersDelete, { as, data: { organizationId, userIds: ["gone", "again"] } });
  await profiles(as, "again");
  await n.send(as, toGroups("g"));
  expect(await reached(as)).toEqual(["u"]);
});

it("counts a member of a group as named where the preference is MINE, and respects NONE", async () => {
  const as = await newGroup("g", "all", "mine", "none");
  await n.addMembers(as, ["mine", "outside"]);
  const set = (userIds: string[], inbox: string) =>
    must(notificationsConfigSet, { as, data: { organizationId, documentIds: ["d"], userIds, config: { inbox } } });
  await set(["mine", "outside"], "MINE");
  await set(["none"], "NONE");
  await n.send(as, { notifyUserGroups: ["g"] });
  expect(await reached(as)).toEqual(["all", "mine"]);
});

it("omits members without access to the document, and those whose access fields do not match", async () => {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "locked", accessType: "restricted" });
  await f.addDocuments(as, "locked", "d");
  const red = { context: { access: { team: "red" } } };
  await profiles(as, "none", "reader", "red");
  await f.give(as, "reader", f.onDocument("d"));
  await f.give(as, "red", f.onFolder("locked", red));
  await addGroup(as, "g");
  await join(as, "g", "none", "reader", "red");
  await n.send(as, { ...toGroups("g"), verifyUserPermissions: true });
  expect(await reached(as)).toEqual(["reader", "red"]);
  await n.send(as, { ...toGroups("g"), ...red });
  expect(await reached(as)).toEqual(["reader", "red", "red"]);
});

it("makes one query for 1,000 members of a group, one read for 100, and one write for 25", async () => {
  const as = await n.newDocument();
  await addGroup(as, "g");
  const organization = { workspace: as.apiKey, organizationId };
  const [group] = await UserGroup.refsOf(organization, ["g"]);
  if (!group) throw new Error("The group is missing.");
  const userIds = n.numbered(2_500);
  const [createdAt, updatedAt] = Array<string>(2).fill(new Date().toISOString()) as [string, string];
  await putAll([
    ...userIds.map((userId) => UserGroup.groupMemberEntity.put({ ...group, userId }, { userId })),
    ...userIds.map((userId) =>
      userEntity.put({ ...organization, userId }, { organizationId, userId, createdAt, updatedAt }),
    ),
  ]);
  await n.add(as, toGroups("g"));
  const [job] = await jobsOf(as, "notify");
  const calls: Record<string, number> = {};
  interceptStore(({ constructor: { name } }) => {
    calls[name] = (calls[name] ?? 0) + 1;
  });
  expect(await notify.run(job as never, Date.now() + 60_000)).toBe("done");
  vi.restoreAllMocks();
  // Three pages of members. Each reads its users with the organization, reads the deleted ones twice, and writes a list.
  expect(calls).toEqual({
    BatchGetCommand: 3 + 11 + 11 + 6,
    QueryCommand: 1 + 3 * (1 + 2),
    BatchWriteCommand: 3 + 2_500 / 25,
    GetCommand: 1,
  });
  expect(await reached(as)).toEqual(userIds.sort());
});
