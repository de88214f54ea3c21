import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { handler, notificationsGet } from "../../../functions/notifications/notifications-get.ts";
import { notificationsRead, handler as read } from "../../../functions/notifications/notifications-read.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { ownerEntity } from "../../../lib/store/content/owner.ts";
import { inboxEntryEntity } from "../../../lib/store/notifications/inbox.ts";
import { notificationPointerEntity } from "../../../lib/store/notifications/notification.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { type Command, interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import {
  addMembers,
  inboxOf,
  newDocument,
  numbered,
  send,
  toU,
  withNotifications,
} from "../../support/notifications.ts";
import { allPages } from "../../support/paging.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const mark = (as: Credentials, notificationIds?: string[], userId = "u") =>
  must(notificationsRead, { as, data: { organizationId, userId, notificationIds } });

interface ListedNotification {
  notificationId: string;
  isRead: boolean;
}
const idsOf = (page: { notifications: ListedNotification[] }) =>
  page.notifications.map(({ notificationId }) => notificationId);
const unreadOf = (page: { notifications: ListedNotification[] }) =>
  page.notifications.filter(({ isRead }) => !isRead).map(({ notificationId }) => notificationId);

fakeDates();
afterEach(() => void vi.restoreAllMocks());

describe("get", () => {
  it("returns the notification as sent, with the headline for its reader, and no other recipients", async () => {
    const as = await newDocument();
    await addMembers(as, ["u"]);
    const sent = {
      displayHeadlineMessageTemplate: "{actionUser} asks {recipientUser} to {what}, {unknown}",
      displayHeadlineMessageTemplateData: { what: "look" },
      notificationSource: "comment",
      notificationSourceData: { commentId: "c", list: [1, null] },
    };
    await send(as, { ...sent, notificationId: "n", notifyUsers: [{ userId: "u", name: "Ursula" }, { userId: "v" }] });
    const { notifications } = await inboxOf(as, "u");
    expect(notifications).toEqual([
      {
        ...sent,
        notificationId: "n",
        organizationId,
        documentId: "d",
        createdAt: new Date().toISOString(),
        isRead: false,
        actionUser: { userId: "ann", name: "Ann", email: "ann@example.com" },
        displayHeadlineMessage: "Ann asks Ursula to look, {unknown}",
        displayBodyMessage: "body",
        isNotificationResolverUsed: false,
      },
    ]);
    const [other] = (await inboxOf(as, "v")).notifications;
    expect(other.displayHeadlineMessage).toBe("Ann asks v to look, {unknown}");
  });

  it.each([1, 2, 5])(
    "returns pages of %i, newest first, without notifications of deleted documents, until the token is null",
    async (pageSize) => {
      const as = await withNotifications(["n1", "n2"]);
      await f.addDocuments(as, undefined, "e");
      for (const notificationId of ["e1", "e2"]) {
        later(1);
        await send(as, { ...toU, documentId: "e", notificationId });
      }
      later(1);
      await send(as, { ...toU, notificationId: "n3" });
      await must(documentsDelete, { as, data: { organizationId, documentIds: ["e"] } });
      const ids: string[] = [];
      let pageToken: string | null = null;
      do {
        const page: { notifications: ListedNotification[]; nextPageToken: string | null } = await inboxOf(as, "u", {
          pageSize,
          pageToken,
        });
        expect(page.notifications.length).toBeLessThanOrEqual(pageSize);
        expect(page).toMatchObject({ unreadCount: 3, unreadIsMore: false });
        ids.push(...idsOf(page));
        pageToken = page.nextPageToken;
      } while (pageToken);
      expect(ids).toEqual(["n3", "n2", "n1"]);
    },
  );

  it("returns no page after the last notification of a document that exists", async () => {
    const as = await newDocument();
    await addMembers(as, ["u"]);
    await f.addDocuments(as, undefined, "e");
    for (const notificationId of ["e1", "e2", "e3", "e4"]) {
      await send(as, { ...toU, documentId: "e", notificationId });
      later(1);
    }
    await send(as, { ...toU, notificationId: "n" });
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["e"] } });
    const page = await inboxOf(as, "u", { pageSize: 1 });
    expect([idsOf(page), page.nextPageToken]).toEqual([["n"], null]);
  });

  it("limits a page by its size in bytes, and returns the rest on the next pages", async () => {
    const ids = numbered(9, "n");
    const as = await withNotifications(ids, { notificationSourceData: { text: "x".repeat(200_000) } });
    expect(idsOf(await inboxOf(as, "u")).length).toBeLessThan(9);
    const listing = { endpoint: notificationsGet, member: "notifications" };
    const found = await allPages(listing, as, { organizationId, userId: "u", pageSize: 9 });
    expect(found.map(({ notificationId }) => notificationId)).toEqual(ids.toReversed());
  });

  it("returns nothing for an unknown user, and for a user of another workspace", async () => {
    const [as, other] = [await withNotifications(["n"]), await newDocument()];
    const empty = { notifications: [], unreadCount: 0, unreadIsMore: false, nextPageToken: null };
    expect(await inboxOf(as, "v")).toEqual(empty);
    expect(await inboxOf(other, "u")).toEqual(empty);
  });

  it("refuses a page token of another user or workspace, and a truncated or forged one", async () => {
    const [as, other] = [await withNotifications(["n1", "n2"]), await newDocument()];
    const { nextPageToken: pageToken } = await inboxOf(as, "u", { pageSize: 1 });
    const question = { organizationId, userId: "u" };
    expect(await f.issuesOf(notificationsGet, other, { ...question, pageToken })).toEqual(["pageToken"]);
    expect(await f.issuesOf(notificationsGet, as, { ...question, userId: "v", pageToken })).toEqual(["pageToken"]);
    for (const bad of [pageToken.slice(0, -3), "x"]) {
      expect(await f.issuesOf(notificationsGet, as, { ...question, pageToken: bad })).toEqual(["pageToken"]);
    }
  });

  it("counts the unread ones among the newest 1,000, and sets unreadIsMore when more exist", async () => {
    const as = await withNotifications(["n"]);
    const documentUid = "deleted" as DocumentUid;
    const at = "2026-01-01T00:00:00.000Z";
    const entries = (count: number) =>
      numbered(count, "old").map((notificationId) => {
        const entry = { organizationId, documentUid, at, notificationId, userId: "u", characters: 10 };
        return inboxEntryEntity.put({ ...entry, workspace: as.apiKey }, entry);
      });
    await putAll(entries(999));
    expect(await inboxOf(as, "u", { pageSize: 1 })).toMatchObject({ unreadCount: 1, unreadIsMore: false });
    await putAll(entries(1_000));
    expect(await inboxOf(as, "u", { pageSize: 1 })).toMatchObject({ unreadCount: 1, unreadIsMore: true });
  });
});

describe("read", () => {
  it("marks the given ones for that user only, and returns failures for others, also when repeated", async () => {
    const as = await newDocument();
    for (const notificationId of ["n1", "n2", "n3"]) {
      later(1);
      await send(as, { notificationId, notifyUsers: [{ userId: "u" }, { userId: "v" }] });
    }
    await send(as, { notificationId: "of-v", notifyAll: false, notifyUsers: [{ userId: "v" }] });
    const ok = expect.objectContaining({ success: true });
    const missing = expect.objectContaining({ success: false, code: "not-found" });
    for (let time = 0; time < 2; time++) {
      expect(await mark(as, ["n1", "n3", "n1", "no", "of-v"])).toEqual({
        n1: ok,
        n3: ok,
        no: missing,
        "of-v": missing,
      });
      const page = await inboxOf(as, "u");
      expect([unreadOf(page), page.unreadCount]).toEqual([["n2"], 1]);
    }
    expect((await inboxOf(as, "v")).unreadCount).toBe(4);
  });

  it("marks all existing ones when no ids are given, and leaves later ones unread", async () => {
    const as = await withNotifications(["n1", "n2"]);
    expect(await mark(as)).toEqual({});
    expect(await inboxOf(as, "u")).toMatchObject({
      unreadCount: 0,
      notifications: [{ isRead: true }, { isRead: true }],
    });
    later(1);
    await send(as, { ...toU, notificationId: "n3" });
    const page = await inboxOf(as, "u");
    expect([unreadOf(page), page.unreadCount]).toEqual([["n3"], 1]);
    await mark(as, ["n3"]);
    expect((await inboxOf(as, "u")).unreadCount).toBe(0);
  });

  it("keeps notifications read when a step of the delivery runs again", async () => {
    const as = await newDocument();
    const entries: Command[] = [];
    interceptStore((command) => {
      if (command.constructor.name === "BatchWriteCommand") entries.push(command);
    });
    await send(as, { ...toU, notificationId: "n" });
    vi.restoreAllMocks();
    await mark(as, ["n"]);
    const written = entries.flatMap(({ input }) =>
      Object.values(input.RequestItems as Record<string, object[]>).flat(),
    );
    await putAll(written.map((each) => ({ put: (each as { PutRequest: { Item: never } }).PutRequest.Item })));
    expect(await inboxOf(as, "u")).toMatchObject({ unreadCount: 0, notifications: [{ isRead: true }] });
  });

  it("returns a failure for a notification of a deleted document", async () => {
    const as = await withNotifications(["n"]);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    expect(await mark(as, ["n"])).toMatchObject({ n: { success: false, code: "not-found" } });
  });

  it("refuses an empty list, 1,001 ids, and an id with a space", async () => {
    const as = await newDocument();
    for (const notificationIds of [[], ["a b"], numbered(1_001)]) {
      const { error } = await call(notificationsRead, { as, data: { organizationId, userId: "u", notificationIds } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
  });
});

describe("AWS calls", () => {
  const documentUid = "x" as DocumentUid;
  const pointer = { organizationId, documentUid, at: "2026-01-01T00:00:00.000Z", notificationId: "n" };
  const ref = { ...pointer, workspace: "w", userId: "u" };
  const rows = [
    ...f.mocked.rows,
    f.mocked.document,
    ownerEntity.put(ref, { organizationId, documentId: "d" }).put,
    notificationPointerEntity.put(ref, pointer).put,
    inboxEntryEntity.put(ref, { ...pointer, userId: "u", characters: 2 }).put,
  ];

  it("get makes seven reads after the credentials; read makes three and a write, also for all", async () => {
    const aws = mockAws(rows);
    const question = { organizationId, userId: "u" };
    expect(await f.callSource(handler, notificationsGet, question)).toBe(200);
    const note = `W#w#X#x NOTE#${pointer.at}#n`;
    const mark = `W#w#O#o#UR#u ${pointer.at}#n`;
    expect(aws.calls().slice(1)).toEqual([
      `BatchGet ${f.keyText.user("u")}, W#w#O#o ORG`,
      "Query W#w#O#o#UN#u",
      "BatchGet W#w#O#o#UR#u #ALL, W#w#X#x OWNER",
      "Query W#w#O#o#UN#u",
      "Query W#w#O#o#UR#u",
      `BatchGet ${f.keyText.document("d")}, W#w#O#o ORG`,
      `BatchGet ${note}, ${mark}`,
    ]);
    aws.dynamo.resetHistory();
    // The container has seen the organization.
    expect(await f.callSource(read, notificationsRead, { ...question, notificationIds: ["n"] })).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w#O#o#NOTE#n NOTE, W#w#O#o ORG, ${f.keyText.user("u")}`,
      `BatchGet W#w#O#o#UN#u ${pointer.at}#n, W#w#X#x OWNER`,
      `BatchGet ${f.keyText.document("d")}, W#w#O#o ORG`,
      "BatchWrite",
    ]);
    aws.dynamo.resetHistory();
    expect(await f.callSource(read, notificationsRead, question)).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet ${f.keyText.user("u")}, W#w#O#o ORG`,
      "Query W#w#O#o#UN#u",
      // The user has no item.
      "BatchWrite",
    ]);
    aws.restore();
  });
});
