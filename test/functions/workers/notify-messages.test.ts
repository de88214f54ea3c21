// The messages of a notification: who gets them, and that each is there once.
import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { slackconfigUpdate } from "../../../functions/messages/slackconfig-update.ts";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { notificationsDelete } from "../../../functions/notifications/notifications-delete.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { drained, leftIn, mailbox, messagesOf } from "../../support/messages.ts";
import * as n from "../../support/notifications.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const people = (...ids: string[]) => ids.map((userId) => ({ userId }));
const choose = (as: Credentials, userId: string, config: object, documentIds: string[] = ["d"]) =>
  must(notificationsConfigSet, { as, data: { organizationId, documentIds, userIds: [userId], config } });

/** A document whose workspace sends e-mails, and members with addresses. */
async function withMail(...ids: string[]): Promise<Credentials> {
  const as = await n.newDocument();
  await must(emailconfigUpdate, { as, data: { useEmailService: true } });
  const users = ids.map((userId) => ({ userId, name: userId.toUpperCase(), email: `${userId}@example.com` }));
  await must(usersAdd, { as, data: { organizationId, users } });
  return as;
}

/** Who gets an e-mail, after the batch time. */
async function mailed(as: Credentials): Promise<string[]> {
  later(121);
  const box = mailbox();
  expect(await drained(as, box)).toBeUndefined();
  return box.sent.map(({ message }) => message.reader.userId).sort();
}

describe("who gets one", () => {
  it.each([
    ["ALL by default", undefined, [], true, false],
    ["ALL on the document", "ALL", ["d"], true, true],
    ["ALL on the organization", "ALL", [], true, true],
    ["MINE on the document", "MINE", ["d"], true, false],
    ["NONE on the organization", "NONE", [], false, false],
  ] as const)("%s", async (_what, email, documentIds, isMailedIfNamed, isMailedAmongAll) => {
    const as = await withMail("named", "grouped", "member");
    const group = { organizationId, organizationUserGroupId: "g" };
    await must(usergroupsAdd, { as, data: { organizationId, organizationUserGroups: [group] } });
    await must(usergroupUsersAdd, { as, data: { ...group, userIds: ["grouped"] } });
    for (const userId of email ? ["named", "grouped", "member"] : []) {
      await choose(as, userId, { email }, [...documentIds]);
    }
    await n.send(as, { notifyUsers: people("named"), notifyUserGroups: ["g"] });
    const expected = [...(isMailedIfNamed ? ["grouped"] : []), ...(isMailedAmongAll ? ["member"] : [])];
    expect(await mailed(as)).toEqual([...expected, ...(isMailedIfNamed ? ["named"] : [])]);
  });

  it("nobody while the trigger of notifications is false, in both channels; without one, and with true, they are sent", async () => {
    const as = await withMail("u");
    const trigger = (value: boolean) =>
      must(emailconfigUpdate, { as, data: { emailServiceConfig: { triggers: { "notification.add": value } } } });
    await trigger(false);
    later(2);
    await n.send(as, n.toU);
    expect(await leftIn(as)).toEqual({});
    await trigger(true);
    later(2);
    await n.send(as, n.toU);
    expect(await mailed(as)).toEqual(["u"]);
    const slack = { isEnabled: true, botToken: "xoxb-1", triggers: { "notification.add": false } };
    await must(slackconfigUpdate, { as, data: slack });
    later(2);
    await n.send(as, n.toU);
    const waiting = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "waiting-message");
    expect(waiting.map(({ pk }) => pk.includes("#M#email#"))).toEqual([true]);
  });

  it("nobody while the e-mail service is off, then or when it would be sent, and nothing waits", async () => {
    const as = await withMail("u");
    await n.send(as, n.toU);
    await must(emailconfigUpdate, { as, data: { useEmailService: false } });
    await n.send(as, n.toU);
    expect(await leftIn(as)).toEqual({ "waiting-message": 1, "due-message": 1 });
    expect(await mailed(as)).toEqual([]);
    expect(await leftIn(as)).toEqual({});
    expect(await messagesOf(as)).toMatchObject([{ state: "failed", error: expect.stringContaining("off") }]);
  });

  it("the inbox and messages each follow their own level", async () => {
    const as = await withMail("u", "v");
    await choose(as, "u", { inbox: "NONE" });
    await choose(as, "v", { email: "NONE" });
    await n.send(as, { notifyUsers: people("u", "v") });
    expect(await n.recipientsAmong(as, ["u", "v"])).toEqual(["v"]);
    expect(await mailed(as)).toEqual(["u"]);
  });

  it("the acting user too, if named, and nobody without a profile", async () => {
    const as = await withMail("ann");
    await n.send(as, { notifyUsers: people("ann", "stranger") });
    expect(await mailed(as)).toEqual(["ann"]);
    expect((await messagesOf(as)).map(({ userId }) => userId)).toEqual(["ann"]);
  });

  it("nobody whom verifyUserPermissions or the access fields exclude", async () => {
    const as = await withMail("u", "v");
    await n.addMembers(as, ["u"], { access: [["team", "red"]] });
    await n.send(as, { notifyUsers: people("u", "v"), context: { access: { team: "red" } } });
    expect(await mailed(as)).toEqual(["u"]);
    await must(documentsUpdate, {
      as,
      data: { organizationId, documents: [{ documentId: "d", accessType: "restricted" }] },
    });
    await n.send(as, { notifyUsers: people("u", "v"), verifyUserPermissions: true });
    expect(await leftIn(as)).toEqual({});
  });
});

describe("what has changed when it is sent", () => {
  it.each([
    ["the level", (as: Credentials) => choose(as, "u", { email: "NONE" })],
    [
      "the access",
      (as: Credentials) => {
        const resources = [{ type: "organization", id: organizationId }];
        return must(permissionsRemove, { as, data: { user: { userId: "u" }, permissions: { resources } } });
      },
    ],
    [
      "the notification, which the user has deleted",
      (as: Credentials) =>
        must(notificationsDelete, { as, data: { organizationId, userId: "u", notificationIds: ["n"] } }),
    ],
  ])("%s", async (_what, change) => {
    const as = await withMail("u");
    await n.send(as, { ...n.toU, notificationId: "n" });
    await change(as);
    expect(await mailed(as)).toEqual([]);
    expect(await messagesOf(as)).toMatchObject([{ state: "omitted" }]);
  });
});

it("tells the headline as the inbox has it, and nothing of a notification that the customer resolves", async () => {
  const as = await withMail("u");
  const headline = { displayHeadlineMessageTemplate: "{actionUser} asks {recipientUser}", displayBodyMessage: "Look." };
  await n.send(as, { notifyAll: false, notifyUsers: [{ userId: "u", name: "You" }], ...headline });
  later(1);
  await n.send(as, {
    ...n.toU,
    ...headline,
    isNotificationResolverUsed: true,
    actionUser: { userId: "ann", name: "Ann" },
  });
  later(121);
  const box = mailbox();
  await drained(as, box);
  expect(box.sent.map(({ message }) => message.entries)).toMatchObject([
    [
      { kind: "notification", actorName: "Ann", headline: "Ann asks You", text: "Look." },
      { kind: "notification", actorName: "ann", headline: undefined, text: undefined },
    ],
  ]);
});

it("waits as long as the setting says", async () => {
  const as = await withMail("u");
  await must(emailconfigUpdate, { as, data: { emailBatchSeconds: 900 } });
  const startedAt = Date.now();
  await n.send(as, n.toU);
  later(121);
  expect(await drained(as, mailbox())).toBe(startedAt + 900_000);
  const [job] = await jobsOf(as, "message");
  expect(job?.dueAt).toBe(startedAt + 900_000);
});

it("is there once for each user, wherever the worker dies", async () => {
  const ids = n.numbered(3);
  const as = await withMail(...ids);
  let [at, isKilled] = [0, true];
  for (; isKilled; at++) {
    await n.add(as, { notifyUsers: people(...ids), notificationId: `n${at}` });
    const jobs = (await jobsOf(as, "notify")).map(({ id }) => id);
    let calls = 0;
    isKilled = false;
    interceptStore(() => {
      if (calls++ !== at) return;
      isKilled = true;
      throw new Error("killed");
    });
    await receive(notify, jobs);
    vi.restoreAllMocks();
    later(90);
    await n.runNotify(as);
    const waiting = (await itemsOf(as.apiKey)).filter(
      ({ entity, notificationId }) => entity === "waiting-message" && notificationId === `n${at}`,
    );
    expect(waiting.map(({ userId }) => userId).sort(), `killed at request ${at}`).toEqual(ids);
    const woken = await jobsOf(as, "message");
    expect(woken.length).toBeGreaterThan(0);
  }
  expect(at).toBeGreaterThan(8);
});
