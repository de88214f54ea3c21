import { expect, it } from "vitest";
import { notificationsRead } from "../../../functions/notifications/notifications-read.ts";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { notify } from "../../../functions/workers/notify.ts";
import * as Inbox from "../../../lib/store/notifications/inbox.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import {
  add,
  inboxOf,
  newDocument,
  numbered,
  runNotify,
  send,
  toU,
  withNotifications,
} from "../../support/notifications.ts";
import { runPurges } from "../../support/run-purges.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

const markAll = (as: Credentials) => must(notificationsRead, { as, data: { organizationId, userId: "u" } });

const unreadOf = async (as: Credentials) => {
  const { notifications } = await inboxOf(as, "u", { pageSize: 100 });
  return (notifications as { notificationId: string; isRead: boolean }[])
    .filter(({ isRead }) => !isRead)
    .map(({ notificationId }) => notificationId);
};

fakeDates();

it("a notification that arrives after all were marked is unread", async () => {
  const as = await newDocument(["u"]);
  await add(as, { notificationId: "n" });
  await markAll(as);
  later(2);
  await markAll(as);
  await runNotify(as);
  expect(await unreadOf(as)).toEqual(["n"]);
});

it("a notification that arrives behind a newer one is unread when the newer one was marked", async () => {
  const as = await newDocument();
  await add(as, { ...toU, notificationId: "older" });
  const waiting = new Set((await jobsOf(as, "notify")).map(({ id }) => id));
  later(1);
  await add(as, { ...toU, notificationId: "newer" });
  const others = (await jobsOf(as, "notify")).filter(({ id }) => !waiting.has(id));
  await deliver(
    notify,
    others.map(({ id }) => id),
  );
  await markAll(as);
  await runNotify(as);
  expect(await unreadOf(as)).toEqual(["older"]);
});

it("all that exist are marked, recent and old, and the stored time never goes back", async () => {
  const as = await newDocument(["u"]);
  await send(as, { ...toU, notificationId: "old" });
  later(3_600);
  for (const notificationId of numbered(3, "new")) await send(as, { ...toU, notificationId });
  expect(await markAll(as)).toEqual({});
  expect(await unreadOf(as)).toEqual([]);
  expect((await inboxOf(as, "u")).unreadCount).toBe(0);
  const user = { workspace: as.apiKey, organizationId, userId: "u", generation: 0 };
  const upTo = await Inbox.readUpTo(user);
  await Inbox.markReadUpTo(user, "2020-01-01T00:00:00.000Z");
  expect(await Inbox.readUpTo(user)).toBe(upTo);
});

it("the deletion of the organization leaves no mark of a user who was only named in a notification", async () => {
  const as = await withNotifications(["old"]);
  later(3_600);
  await send(as, { ...toU, notificationId: "new" });
  await markAll(as);
  expect(await unreadOf(as)).toEqual([]);
  await must(organizationsDelete, { as, data: { organizationId } });
  await runPurges(as);
  expect((await itemsOf(as.apiKey)).filter(({ pk }) => pk.includes(`#O#${organizationId}`))).toEqual([]);
});
