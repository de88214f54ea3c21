import { describe, expect, it } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { handler, notificationsAdd } from "../../../functions/notifications/notifications-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { usergroupsDelete } from "../../../functions/user-groups/usergroups-delete.ts";
import { userGroupEntity } from "../../../lib/store/access/user-group.ts";
import { ownerEntity } from "../../../lib/store/content/owner.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { add, inboxOf, newDocument, notification, numbered, runNotify, send } from "../../support/notifications.ts";
import { storedOf } from "../../support/refusal.ts";
import * as f from "../../support/workspace.ts";

const newGroupIn = (as: Credentials, organizationUserGroupId: string) =>
  must(usergroupsAdd, { as, data: { organizationId: "o", organizationUserGroups: [{ organizationUserGroupId }] } });
const eventsOf = async (as: Credentials) =>
  (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events as { type: string; data: object }[]);

describe("OK", () => {
  it("stores the notification, its job and its event before it returns", async () => {
    const as = await newDocument();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["notification.add"] });
    expect(await add(as, { notificationId: "n" })).toMatchObject({ success: true });
    expect(await jobsOf(as, "notify")).toMatchObject([{ payload: { notificationId: "n" } }]);
    expect(await eventsOf(as)).toMatchObject([
      {
        type: "notification.add",
        organizationId: "o",
        documentId: "d",
        data: { notificationId: "n", actionUserId: "ann" },
      },
    ]);
  });

  it("adds nothing for a repeated id, also in concurrent calls and on another document", async () => {
    const as = await newDocument(["u"]);
    await Promise.all(numbered(5).map(() => add(as, { notificationId: "n" })));
    await runNotify(as);
    const before = await storedOf(as);
    const again = { notificationId: "n", documentId: "new", createDocument: true, displayBodyMessage: "other" };
    expect(await add(as, again)).toMatchObject({ success: true });
    expect(await storedOf(as)).toEqual(before);
    expect((await inboxOf(as, "u")).notifications).toHaveLength(1);
  });

  it("stores with the job in which life each user group is, and a repetition does not need the group", async () => {
    const as = await newDocument();
    const organizationUserGroupId = "g";
    await newGroupIn(as, organizationUserGroupId);
    const more = { notificationId: "n", notifyUserGroups: ["g", "g"], notifyAll: false };
    await add(as, more);
    const groups = [{ organizationUserGroupId, groupUid: expect.any(String) }];
    expect((await jobsOf(as, "notify")).map(({ payload }) => payload.groups)).toEqual([groups]);
    const data = { organizationId: "o", organizationUserGroupIds: [organizationUserGroupId] };
    await must(usergroupsDelete, { as, data });
    expect(await add(as, more)).toMatchObject({ success: true });
    expect(await jobsOf(as, "notify")).toHaveLength(1);
  });

  it("treats equal ids of two workspaces as different, and makes an id when none is given", async () => {
    const [one, other] = [await newDocument(["u"]), await newDocument(["u"])];
    for (const as of [one, other]) await send(as, { notificationId: "n" });
    await send(one);
    await send(one);
    expect((await inboxOf(one, "u")).notifications).toHaveLength(3);
    expect((await inboxOf(other, "u")).notifications).toHaveLength(1);
  });

  it("creates a missing organization and document with createOrganization and createDocument", async () => {
    const as = await newWorkspace();
    const missing = { organizationId: "o", createOrganization: true, createDocument: true };
    await send(as, { ...missing, notifyUsers: [{ userId: "u" }] });
    await send(as, { ...missing, notifyUsers: [{ userId: "u" }] });
    expect((await inboxOf(as, "u")).notifications).toHaveLength(2);
    expect(await f.onOne(as, "u", "d")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("creates a document whose id was reserved by a grant, and the grant applies", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onDocument("d"));
    await add(as, { createDocument: true });
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "editor" });
  });

  it("stores no text and no personal data except ids when the resolver is used", async () => {
    const as = await newDocument();
    const secret = "SECRET";
    const users = [{ userId: "u", name: secret, email: secret }];
    const texts = {
      displayHeadlineMessageTemplate: secret,
      displayHeadlineMessageTemplateData: { recipientUser: secret, actionUser: users[0], own: secret },
      displayBodyMessage: secret,
    };
    const actionUser = { userId: "ann", name: secret, email: secret };
    const notificationSourceData = { id: 7 };
    await send(as, {
      ...texts,
      actionUser,
      notifyUsers: users,
      notificationSourceData,
      isNotificationResolverUsed: true,
    });
    expect(JSON.stringify(await storedOf(as))).not.toContain(secret);
    const [received] = (await inboxOf(as, "u")).notifications;
    expect(received).toMatchObject({
      actionUser: { userId: "ann" },
      notificationSourceData,
      isNotificationResolverUsed: true,
    });
    expect(Object.keys(received).filter((name) => name.startsWith("display"))).toEqual([]);
  });

  it("takes a user object as recipientUser, and shows its name", async () => {
    const as = await newDocument();
    const displayHeadlineMessageTemplateData = { recipientUser: { userId: "bob", name: "Bob" } };
    await send(as, {
      displayHeadlineMessageTemplate: "For {recipientUser}",
      displayHeadlineMessageTemplateData: { recipientUser: { userId: "bob", name: "Bob", email: null } },
      notifyUsers: [{ userId: "u" }],
    });
    const [received] = (await inboxOf(as, "u")).notifications;
    expect(received).toMatchObject({ displayHeadlineMessage: "For Bob", displayHeadlineMessageTemplateData });
  });

  it("needs neither headline nor body when the resolver is used", async () => {
    const as = await newDocument();
    const without = { displayHeadlineMessageTemplate: undefined, displayBodyMessage: null };
    await send(as, { ...without, isNotificationResolverUsed: true, notifyUsers: [{ userId: "u" }] });
    expect((await inboxOf(as, "u")).notifications).toHaveLength(1);
  });

  it("returns free-form data exactly as it was sent", async () => {
    const as = await newDocument();
    const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ inner }), {});
    const notificationSourceData = { "": null, huge: 1e300, tiny: 5e-324, deep, emoji: "🦜", list: [[], {}, ""] };
    await send(as, { notificationSourceData, notificationSource: "crdt", notifyUsers: [{ userId: "u" }] });
    expect((await inboxOf(as, "u")).notifications).toMatchObject([
      { notificationSourceData, notificationSource: "crdt" },
    ]);
  });
});

describe("NOT_FOUND", () => {
  it("is returned for an unknown user group, before the call creates anything", async () => {
    const as = await newDocument();
    await newGroupIn(as, "g");
    await newGroupIn(await newDocument(), "of-another-workspace");
    const before = await storedOf(as);
    const creating = { createOrganization: true, createDocument: true };
    for (const more of [
      { notifyUserGroups: ["g", "unknown"] },
      { notifyUserGroups: ["of-another-workspace"] },
      { notifyUserGroups: ["unknown"], documentId: "new", ...creating },
      { notifyUserGroups: ["g"], organizationId: "new", ...creating },
    ]) {
      const { error } = await call(notificationsAdd, { as, data: notification(more) });
      expect(error).toMatchObject({
        status: "NOT_FOUND",
        message: "The organization user group does not exist.",
      });
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it.each([
    ["a missing document", { documentId: "missing" }],
    [
      "a missing document of an organization that the call would create",
      { organizationId: "missing", createOrganization: true },
    ],
  ])("is returned for %s, and nothing is created", async (_what, more) => {
    const as = await newDocument();
    const before = await storedOf(as);
    expect((await call(notificationsAdd, { as, data: notification(more) })).error?.status).toBe("NOT_FOUND");
    expect(await storedOf(as)).toEqual(before);
  });

  it("is returned for a deleted document, and one that has only grants", async () => {
    const as = await newDocument();
    await must(documentsDelete, { as, data: { organizationId: "o", documentIds: ["d"] } });
    await f.give(as, "u", f.onDocument("reserved"));
    for (const documentId of ["d", "reserved"]) {
      const reply = await call(notificationsAdd, { as, data: notification({ documentId }) });
      expect(reply.error?.status).toBe("NOT_FOUND");
    }
  });
});

it("a template value that is null counts as missing", async () => {
  const as = await newDocument(["u"]);
  const displayHeadlineMessageTemplateData = { own: null, other: "x", actionUser: null, recipientUser: null };
  const displayHeadlineMessageTemplate = "{own} {other} {actionUser}";
  await send(as, { displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData });
  const [shown] = (await inboxOf(as, "u")).notifications;
  expect(shown.displayHeadlineMessageTemplateData).toEqual({ other: "x" });
  expect(shown.displayHeadlineMessage).toBe("{own} x Ann");
});

it("says that nobody gets a notification that names no user", async () => {
  const as = await newDocument();
  const sent = async (more: object) => (await must(notificationsAdd, { as, data: notification(more) })).message;
  expect(await sent({ notifyUsers: [], notifyAll: false })).toBe("Nobody gets the notification: it names no user.");
  for (const more of [{ notifyUsers: [] }, { notifyUsers: [{ userId: "u" }], notifyAll: false }])
    expect(await sent(more)).toBe("The notification is queued for delivery.");
});

describe("INVALID_ARGUMENT", () => {
  const long = "x".repeat(60_000);

  it.each([
    ["a slash in the id", { notificationId: "a/b" }, ["notificationId"]],
    ["a space in the id", { notificationId: "a b" }, ["notificationId"]],
    ["an empty id", { notificationId: "" }, ["notificationId"]],
    ["letters of other scripts in the id", { notificationId: "é" }, ["notificationId"]],
    ["an id of 257 characters", { notificationId: "x".repeat(257) }, ["notificationId"]],
    ["a missing headline", { displayHeadlineMessageTemplate: undefined }, ["displayHeadlineMessageTemplate"]],
    ["an empty body", { displayBodyMessage: "" }, ["displayBodyMessage"]],
    [
      "a missing headline and body",
      { displayHeadlineMessageTemplate: undefined, displayBodyMessage: undefined },
      ["displayHeadlineMessageTemplate", "displayBodyMessage"],
    ],
    ["1,001 users", { notifyUsers: numbered(1_001).map((userId) => ({ userId })) }, ["notifyUsers"]],
    ["21 user groups", { notifyUserGroups: numbered(21) }, ["notifyUserGroups"]],
    ["a user group that is no id", { notifyUserGroups: ["g", 7] }, ["notifyUserGroups.1"]],
    ["a user without an id", { notifyUsers: [{ name: "u" }] }, ["notifyUsers.0.userId"]],
    ["an unknown source", { notificationSource: "mail" }, ["notificationSource"]],
    [
      "a variable that is not a string",
      { displayHeadlineMessageTemplateData: { own: 1 } },
      ["displayHeadlineMessageTemplateData.own"],
    ],
    [
      "an actionUser variable that is not a user",
      { displayHeadlineMessageTemplateData: { actionUser: "x" } },
      ["displayHeadlineMessageTemplateData.actionUser"],
    ],
    ["a context without access", { context: {} }, ["context.access"]],
    ["several values of a field", { context: { access: { team: ["a", "b"] } } }, ["context.access.team"]],
    [
      "a record over 256 KB",
      { notificationSourceData: { a: [long, long, long, long, long] } },
      ["notificationSourceData"],
    ],
    [
      "a record over 256 KB beside another invalid field",
      { notificationId: "a b", notificationSourceData: { a: [long, long, long, long, long] } },
      ["notificationId", "notificationSourceData"],
    ],
    ["users over 256 KB", { notifyUsers: numbered(5).map((userId) => ({ userId, name: long })) }, ["notifyUsers"]],
  ])("is returned for %s, and nothing is stored", async (_what, more, paths) => {
    const as = await newDocument();
    const before = await storedOf(as);
    expect(await f.issuesOf(notificationsAdd, as, notification(more))).toEqual(paths);
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("AWS calls", () => {
  const written = [
    expect.stringMatching(
      /^TransactWrite Put W#w#O#o#NOTE#n NOTE if absent, Put W#w#X#x NOTE#[^ ]+#n, Put W#w#O#o#UA#ann [^ ]+#n, Put JOB#[^ ]+ JOB if absent$/,
    ),
    "SendMessageBatch",
  ];

  it("makes three reads, one transaction and one send, for any number of named users", async () => {
    const documentRef = { workspace: "w", documentUid: "x" as DocumentUid };
    const owner = ownerEntity.put(documentRef, { organizationId: f.organizationId, documentId: "d" });
    const aws = mockAws([...f.mocked.rows, f.mocked.document, owner.put]);
    const data = notification({ notificationId: "n" });
    expect(await f.callSource(handler, notificationsAdd, data)).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      `BatchGet W#w#O#o ORG, ${f.keyText.document("d")}, W#w#O#o#NOTE#n NOTE`,
      "Get W#w#X#x OWNER",
      ...written,
    ]);
    aws.dynamo.resetHistory();
    aws.sqs.resetHistory();
    const notifyUsers = numbered(1_000).map((userId) => ({ userId }));
    expect(await f.callSource(handler, notificationsAdd, { ...data, notifyUsers })).toBe(200);
    expect(aws.calls().slice(-2)).toEqual(written);
    expect(aws.calls().length).toBeLessThanOrEqual(5);
    aws.restore();
  });

  it("reads 20 user groups in the batch of the document", async () => {
    const ids = numbered(20, "g");
    const groups = ids.map(
      (organizationUserGroupId) =>
        userGroupEntity.put(
          { ...f.mockedOrganization, organizationUserGroupId },
          { organizationId: "o", organizationUserGroupId, groupUid: "x", createdAt: "now" },
        ).put,
    );
    const owner = ownerEntity.put(
      { workspace: "w", documentUid: "x" as DocumentUid },
      { organizationId: "o", documentId: "d" },
    );
    const aws = mockAws([...f.mocked.rows, f.mocked.document, owner.put, ...groups]);
    const data = notification({ notificationId: "n", notifyUserGroups: ids });
    expect(await f.callSource(handler, notificationsAdd, data)).toBe(200);
    const keys = [
      `W#w#O#o ORG, ${f.keyText.document("d")}, W#w#O#o#NOTE#n NOTE`,
      ...ids.map((id) => `W#w#O#o GROUP#${id}`),
    ];
    // The credentials are kept from before, or read in a batch of their own.
    expect(aws.calls().slice(-4)).toEqual([expect.stringContaining(keys.join(", ")), "Get W#w#X#x OWNER", ...written]);
    expect(aws.calls().length).toBeLessThanOrEqual(5);
    aws.restore();
  });
});
