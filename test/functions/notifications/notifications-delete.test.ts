import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { handler, notificationsDelete } from "../../../functions/notifications/notifications-delete.ts";
import { notificationsRead } from "../../../functions/notifications/notifications-read.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { commitEach } from "../../../lib/jobs/commit.ts";
import * as Owner from "../../../lib/store/content/owner.ts";
import { ownerEntity } from "../../../lib/store/content/owner.ts";
import { deletedNotificationEntity } from "../../../lib/store/notifications/deleted-notification.ts";
import { inboxEntryEntity } from "../../../lib/store/notifications/inbox.ts";
import { notificationPointerEntity } from "../../../lib/store/notifications/notification.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as n from "../../support/notifications.ts";
import { runPurges } from "../../support/run-purges.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const toBoth = { notifyAll: false, notifyUsers: [{ userId: "u" }, { userId: "v" }] };
const dataOf = (...notificationIds: string[]) => ({ organizationId, userId: "u", notificationIds });
const remove = (as: Credentials, ...ids: string[]) => must(notificationsDelete, { as, data: dataOf(...ids) });
const deleted = (id: string) => ({ success: true, id, message: "Notification deleted." });
const absent = (id: string) => ({ success: true, id, message: "The user has no such notification." });
const idsOf = async (as: Credentials, userId: string) =>
  (await n.inboxOf(as, userId)).notifications.map((each: { notificationId: string }) => each.notificationId);
const marksOf = async (as: Credentials) =>
  (await itemsOf(as.apiKey)).filter(({ entity }) => entity === deletedNotificationEntity.name);

fakeDates();
afterEach(() => void vi.restoreAllMocks());

describe("OK", () => {
  it("deletes the user's own notifications, and those of no other user", async () => {
    const as = await n.withNotifications(["one", "two", "three"], toBoth);
    expect(await remove(as, "one", "no", "three", "one")).toEqual({
      one: deleted("one"),
      no: absent("no"),
      three: deleted("three"),
    });
    expect(await idsOf(as, "u")).toEqual(["two"]);
    expect(await idsOf(as, "v")).toEqual(["three", "two", "one"]);
    expect(await remove(as, "one")).toEqual({ one: absent("one") });
  });

  it("keeps the number of unread notifications right, whether the deleted one was read or not", async () => {
    const as = await n.withNotifications(["read", "unread", "other"]);
    await must(notificationsRead, { as, data: dataOf("read") });
    expect(await n.inboxOf(as, "u")).toMatchObject({ unreadCount: 2 });
    await remove(as, "read");
    expect(await n.inboxOf(as, "u")).toMatchObject({ unreadCount: 2 });
    await remove(as, "unread");
    expect(await n.inboxOf(as, "u")).toMatchObject({ unreadCount: 1, notifications: [{ notificationId: "other" }] });
    const { unread } = await must(notificationsRead, { as, data: dataOf("unread") });
    expect(unread).toMatchObject({ success: false, code: "not-found" });
    expect(await n.inboxOf(as, "u")).toMatchObject({ unreadCount: 1 });
  });

  it("deletes nothing of another workspace, another organization's user, or a deleted document", async () => {
    const [alice, bob] = [await n.withNotifications(["x"]), await n.withNotifications(["y"])];
    expect(await remove(bob, "x")).toEqual({ x: absent("x") });
    expect(await idsOf(alice, "u")).toEqual(["x"]);
    await must(documentsDelete, { as: alice, data: { organizationId, documentIds: ["d"] } });
    expect(await remove(alice, "x")).toEqual({ x: absent("x") });
    expect(await marksOf(alice)).toEqual([]);
  });

  it("deletes 1,000 notifications with 1,000 marks and 2,000 deletions, in batches", async () => {
    const as = await n.newDocument();
    const ids = n.numbered(1_000, "n");
    const at = new Date().toISOString();
    const [document] = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "document");
    const { documentUid } = document as unknown as { documentUid: DocumentUid };
    const writes = ids.flatMap((notificationId) => {
      const pointer = { organizationId, documentUid, at, notificationId };
      const ref = { ...pointer, workspace: as.apiKey, userId: "u" };
      return [
        notificationPointerEntity.put(ref, pointer),
        inboxEntryEntity.put(ref, { ...pointer, userId: "u", characters: 2 }),
      ];
    });
    await Owner.name({ workspace: as.apiKey, documentUid }, { organizationId, documentId: "d" });
    await commitEach(writes.map((write) => ({ writes: [write] })));
    const calls: Record<string, number> = {};
    interceptStore(({ constructor: { name } }) => {
      calls[name] = (calls[name] ?? 0) + 1;
    });
    expect(await f.callSource(handler, notificationsDelete, dataOf(...ids), as)).toBe(200);
    vi.restoreAllMocks();
    expect(calls.BatchWriteCommand).toBe(3_000 / 25);
    expect(calls.BatchGetCommand).toBeLessThanOrEqual(24);
    expect(await idsOf(as, "u")).toEqual([]);
  });
});

describe("a fan-out that runs again", () => {
  it.each([false, true])(
    "does not bring a notification back: deleted before each of its calls (later: %s)",
    async (isLate) => {
      const as = await n.newDocument(["u", "v"]);
      let calls = 1;
      for (let at = 0; at < calls; at++) {
        const notificationId = `n${at}`;
        await n.add(as, { notificationId });
        const [job] = await jobsOf(as, "notify");
        await n.runNotify(as);
        let made = 0;
        const inTime = async () => {
          if (made++ === at) await remove(as, notificationId);
        };
        interceptStore(isLate ? () => {} : inTime, isLate ? inTime : () => {});
        await notify.run(job as never, Date.now() + 60_000);
        vi.restoreAllMocks();
        calls = made;
        expect(await idsOf(as, "u"), `call ${at}`).toEqual([]);
        expect(await idsOf(as, "v"), `call ${at}`).toContain(notificationId);
        expect(await n.inboxOf(as, "u")).toMatchObject({ unreadCount: 0 });
      }
      expect(calls).toBeGreaterThan(20);
    },
  );
});

it("a call whose process died at any of its calls deletes the notification when it is repeated", async () => {
  let deaths = 0;
  for (let at = 0; deaths === at; at++) {
    const as = await n.withNotifications(["n"], toBoth);
    let made = 0;
    interceptStore(() => {
      if (made++ >= at) throw new Error("The process died.");
    });
    if ((await f.callSource(handler, notificationsDelete, dataOf("n"), as)) !== 200) deaths++;
    vi.restoreAllMocks();
    await remove(as, "n");
    expect(await n.inboxOf(as, "u"), `call ${at}`).toMatchObject({ notifications: [], unreadCount: 0 });
    expect(await idsOf(as, "v")).toEqual(["n"]);
  }
  expect(deaths).toBeGreaterThan(4);
});

it("the erasure of a user deletes the user's marks, and no other user's", async () => {
  const as = await n.withNotifications(["n"], toBoth);
  await remove(as, "n");
  await must(notificationsDelete, { as, data: { ...dataOf("n"), userId: "v" } });
  await erased(await beginErasure(as.apiKey, { organizationId, userIds: ["u"] }));
  expect(await marksOf(as)).toMatchObject([{ userId: "v" }]);
});

it("the marks of a deleted document are purged", async () => {
  const as = await n.withNotifications(["n"]);
  await remove(as, "n");
  expect(await marksOf(as)).toHaveLength(1);
  await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
  await runPurges(as);
  expect(await marksOf(as)).toEqual([]);
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["an empty list of ids", dataOf(), ["notificationIds"]],
    ["1,001 ids", dataOf(...Array(1_001).fill("n")), ["notificationIds"]],
    ["an id with a space", dataOf("a b"), ["notificationIds.0"]],
    ["an empty request", {}, ["notificationIds", "organizationId", "userId"]],
    ["an unknown field", { ...dataOf("n"), documentId: "d" }, ["documentId"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect((await f.issuesOf(notificationsDelete, await n.newDocument(), data)).toSorted()).toEqual(paths);
  });
});

it("makes three reads, writes the mark, and then deletes the read mark and the entry", async () => {
  const documentUid = "x" as DocumentUid;
  const pointer = { organizationId, documentUid, at: "2026-01-01T00:00:00.000Z", notificationId: "n" };
  const ref = { ...pointer, workspace: "w", userId: "u" };
  const aws = mockAws([
    ...f.mocked.rows,
    f.mocked.document,
    ownerEntity.put(ref, { organizationId, documentId: "d" }).put,
    notificationPointerEntity.put(ref, pointer).put,
    inboxEntryEntity.put(ref, { ...pointer, userId: "u", characters: 2 }).put,
  ]);
  expect(await f.callSource(handler, notificationsDelete, dataOf("n"))).toBe(200);
  expect(aws.calls().slice(1)).toEqual([
    `BatchGet W#w#O#o#NOTE#n NOTE, W#w#O#o ORG, ${f.keyText.user("u")}`,
    `BatchGet W#w#O#o#UN#u ${pointer.at}#n, W#w#X#x OWNER`,
    `BatchGet ${f.keyText.document("d")}, W#w#O#o ORG`,
    "BatchWrite",
    "BatchWrite",
    "BatchWrite",
  ]);
});
