// The end of notifications (DECISIONS.md#end-of-notifications). DynamoDB deletes items some time after their end, and the
// engine of the tests never does. So each ended item is still stored here.
import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { notificationsDelete } from "../../../functions/notifications/notifications-delete.ts";
import { notificationsRead } from "../../../functions/notifications/notifications-read.ts";
import { usersDataGet } from "../../../functions/personal-data/users-data-get.ts";
import { deleteAll } from "../../../lib/dynamodb/batch-write.ts";
import { notificationPointerEntity } from "../../../lib/store/notifications/notification.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as n from "../../support/notifications.ts";
import { storedOf } from "../../support/refusal.ts";
import { runPurges } from "../../support/run-purges.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

const notificationId = "the-note";
const data = { organizationId, userId: "u", notificationIds: [notificationId] };
const toBoth = { notifyAll: false, notifyUsers: [{ userId: "u" }, { userId: "v" }], notificationId };
const day = 24 * 3_600;

/** Everything that is stored about the notification, apart from jobs. */
const itemsOfNote = async (as: Credentials) =>
  (await itemsOf(as.apiKey)).filter((item) => item.entity !== "job" && JSON.stringify(item).includes(notificationId));
const idsOf = async (as: Credentials, userId: string) =>
  (await n.inboxOf(as, userId)).notifications.map((each: { notificationId: string }) => each.notificationId);
const exported = async (as: Credentials, userId: string) =>
  (await call(usersDataGet, { as, data: { organizationId, userId } })).body.result.data.notifications;

/** A notification that `u` has read and `v` has deleted. */
async function usedNote(): Promise<Credentials> {
  const as = await n.newDocument();
  await n.send(as, toBoth);
  await must(notificationsRead, { as, data });
  await must(notificationsDelete, { as, data: { ...data, userId: "v" } });
  return as;
}

// The middle of a second: an end is a whole second.
fakeDates(Math.floor(Date.now() / 1_000) * 1_000 + 500);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe("each item of a notification", () => {
  it.each([
    [365, undefined],
    [30, "30"],
  ])("ends %i days after the notification was added (setting: %s)", async (days, setting) => {
    if (setting) vi.stubEnv("NOTIFICATION_RETENTION_DAYS", setting);
    const addedAt = Math.floor(Date.now() / 1_000);
    const as = await n.newDocument();
    await n.add(as, toBoth);
    later(3_600);
    await n.runNotify(as);
    await must(notificationsRead, { as, data });
    later(3_600);
    await must(notificationsDelete, { as, data: { ...data, userId: "v" } });
    const items = await itemsOfNote(as);
    expect(items.map(({ entity }) => entity).sort()).toEqual([
      "acted-entry",
      "deleted-notification",
      "inbox-entry",
      "notification",
      "notification-pointer",
      "read-mark",
      "recipient-list",
    ]);
    for (const item of items) expect(item, String(item.entity)).toMatchObject({ ttl: addedAt + days * day });
  });

  it("keeps its end when the setting changes later", async () => {
    vi.stubEnv("NOTIFICATION_RETENTION_DAYS", "2");
    const as = await n.newDocument();
    await n.send(as, { ...toBoth, notificationId: "two-days" });
    vi.stubEnv("NOTIFICATION_RETENTION_DAYS", "1");
    later(1);
    await n.send(as, { ...toBoth, notificationId: "one-day" });
    later(day);
    expect(await idsOf(as, "u")).toEqual(["two-days"]);
    vi.stubEnv("NOTIFICATION_RETENTION_DAYS", "3650");
    later(day);
    expect(await idsOf(as, "u")).toEqual([]);
  });
});

describe("an ended notification", () => {
  it("is in no list, and exists for no call, from its last second on", async () => {
    const as = await usedNote();
    later(365 * day - 1);
    expect(await idsOf(as, "u")).toEqual([notificationId]);
    expect(await exported(as, "u")).toHaveLength(1);
    expect(await exported(as, "ann")).toHaveLength(1);
    later(1);
    expect(await itemsOfNote(as)).toHaveLength(7);
    const before = await storedOf(as);
    expect(await n.inboxOf(as, "u")).toEqual({
      notifications: [],
      unreadCount: 0,
      unreadIsMore: false,
      nextPageToken: null,
    });
    for (const userId of ["u", "v", "ann"]) expect(await exported(as, userId)).toEqual([]);
    expect(await must(notificationsRead, { as, data })).toMatchObject({ [notificationId]: { code: "not-found" } });
    expect(await must(notificationsDelete, { as, data })).toMatchObject({
      [notificationId]: { message: "The user has no such notification." },
    });
    await must(notificationsRead, { as, data: { organizationId, userId: "u" } });
    expect(await storedOf(as)).toEqual(before);
  });

  it("does not count as unread, and does not end a page of those that last", async () => {
    const as = await n.newDocument();
    await n.send(as, { ...n.toU, notificationId: "lasting" });
    vi.stubEnv("NOTIFICATION_RETENTION_DAYS", "1");
    for (const id of n.numbered(3)) {
      later(1);
      await n.send(as, { ...n.toU, notificationId: id });
    }
    later(day);
    const page = await n.inboxOf(as, "u", { pageSize: 1 });
    expect(page).toMatchObject({ notifications: [{ notificationId: "lasting" }], unreadCount: 1, nextPageToken: null });
    expect(await exported(as, "u")).toMatchObject([{ notificationId: "lasting" }]);
  });

  it("is not delivered any more: its job ends without writing", async () => {
    const as = await n.newDocument();
    await n.add(as, toBoth);
    later(365 * day);
    const before = await itemsOfNote(as);
    await n.runNotify(as);
    expect(await itemsOfNote(as)).toEqual(before);
  });
});

describe("the id of an ended notification", () => {
  it("is free: a new one on the same document reaches each user once, also who deleted the former one", async () => {
    const as = await usedNote();
    later(365 * day - 1);
    await n.send(as, toBoth);
    expect(await idsOf(as, "v")).toEqual([]);
    later(1);
    await n.send(as, { ...toBoth, displayBodyMessage: "again" });
    for (const userId of ["u", "v"]) {
      const { notifications, unreadCount } = await n.inboxOf(as, userId);
      expect([notifications, unreadCount]).toMatchObject([[{ notificationId, displayBodyMessage: "again" }], 1]);
      expect(await exported(as, userId)).toHaveLength(1);
    }
    await must(notificationsDelete, { as, data });
    expect(await idsOf(as, "u")).toEqual([]);
    expect(await idsOf(as, "v")).toEqual([notificationId]);
  });

  it("leaves nothing behind of both notifications when their document is deleted", async () => {
    const as = await usedNote();
    later(365 * day);
    await n.send(as, toBoth);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await runPurges(as);
    expect(await itemsOfNote(as)).toEqual([]);
  });

  it.each(["deletes the ended one", "adds the id again"])(
    "is added once when DynamoDB or another call %s meanwhile",
    async (what) => {
      const as = await usedNote();
      later(365 * day);
      let calls = 0;
      interceptStore(async ({ constructor: { name } }) => {
        if (name !== "TransactWriteCommand" || calls++ > 0) return;
        const key = notificationPointerEntity.key({ workspace: as.apiKey, organizationId, notificationId });
        if (what === "deletes the ended one") await deleteAll([key]);
        else await n.add(as, toBoth);
      });
      await n.add(as, toBoth);
      vi.restoreAllMocks();
      expect(await jobsOf(as, "notify")).toHaveLength(1);
      await n.runNotify(as);
      expect(await idsOf(as, "u")).toEqual([notificationId]);
    },
  );
});
