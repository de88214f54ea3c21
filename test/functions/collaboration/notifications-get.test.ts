import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handler, notificationsGet } from "../../../functions/collaboration/notifications-get.ts";
import { notificationsRead, handler as read } from "../../../functions/collaboration/notifications-read.ts";
import { documentsDelete } from "../../../functions/content/documents-delete.ts";
import { putAll } from "../../../lib/jobs/commit.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import { type Command, interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import {
  addMembers,
  inboxOf,
  later,
  newDocument,
  numbered,
  send,
  toU,
  withNotifications,
} from "../../support/notifications.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const mark = (as: Credentials, notificationIds?: string[], userId = "u") =>
  must(notificationsRead, { as, data: { organizationId, userId, notificationIds } });

interface Shown {
  notificationId: string;
  isRead: boolean;
}
const idsOf = (page: { notifications: Shown[] }) => page.notifications.map(({ notificationId }) => notificationId);
const unreadOf = (page: { notifications: Shown[] }) =>
  page.notifications.filter(({ isRead }) => !isRead).map(({ notificationId }) => notificationId);

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("get", () => {
  it("shows what was sent, its headline filled in for the reader, and not who else was notified", async () => {
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
    "pages newest first, %i a page, over a deleted document's, and ends with null",
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
        const page: { notifications: Shown[]; nextPageToken: string | null } = await inboxOf(as, "u", {
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

  it("ends a page at its size in bytes, and shows each all the same", async () => {
    const ids = numbered(9, "n");
    const as = await withNotifications(ids, { notificationSourceData: { text: "x".repeat(200_000) } });
    const first = await inboxOf(as, "u");
    expect(idsOf(first).length).toBeLessThan(9);
    const second = await inboxOf(as, "u", { pageToken: first.nextPageToken });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.toReversed());
    expect(second.nextPageToken).toBeNull();
  });

  it("has nothing for a user who is unknown, or of another organization or workspace", async () => {
    const [as, other] = [await withNotifications(["n"]), await newDocument()];
    const empty = { notifications: [], unreadCount: 0, unreadIsMore: false, nextPageToken: null };
    expect(await inboxOf(as, "v")).toEqual(empty);
    expect(await inboxOf(other, "u")).toEqual(empty);
  });

  it("refuses a page token of another user or workspace, cut or made up", async () => {
    const [as, other] = [await withNotifications(["n1", "n2"]), await newDocument()];
    const { nextPageToken: pageToken } = await inboxOf(as, "u", { pageSize: 1 });
    const asked = { organizationId, userId: "u" };
    expect(await f.issuesOf(notificationsGet, other, { ...asked, pageToken })).toEqual(["pageToken"]);
    expect(await f.issuesOf(notificationsGet, as, { ...asked, userId: "v", pageToken })).toEqual(["pageToken"]);
    for (const bad of [pageToken.slice(0, -3), "x", ""]) {
      expect(await f.issuesOf(notificationsGet, as, { ...asked, pageToken: bad })).toEqual(["pageToken"]);
    }
  });

  it("counts unread ones up to 1,000, and says when there are more", async () => {
    const as = await withNotifications(["n"]);
    const uid = "gone";
    const entry = { uid, organizationId, userId: "u", characters: 10 };
    const rows = (count: number) =>
      numbered(count, "old").map((notificationId) => {
        const at = "2026-01-01T00:00:00.000Z";
        return {
          ...dataKeys.userNotification(as.apiKey, organizationId, "u", at, notificationId),
          ...entry,
          at,
          notificationId,
        };
      });
    await putAll(rows(999));
    expect(await inboxOf(as, "u", { pageSize: 1 })).toMatchObject({ unreadCount: 1, unreadIsMore: false });
    await putAll(rows(1_000));
    expect(await inboxOf(as, "u", { pageSize: 1 })).toMatchObject({ unreadCount: 1, unreadIsMore: true });
  });
});

describe("read", () => {
  it("marks those given for that user only, again without effect, and fails for others", async () => {
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

  it("marks all until now, and what comes later is unread", async () => {
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

  it("keeps what is read when a step of the fan-out runs again", async () => {
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
    await putAll(written.map((each) => (each as { PutRequest: { Item: never } }).PutRequest.Item));
    expect(await inboxOf(as, "u")).toMatchObject({ unreadCount: 0, notifications: [{ isRead: true }] });
  });

  it("finds nothing to mark in a deleted document", async () => {
    const as = await withNotifications(["n"]);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    expect(await mark(as, ["n"])).toMatchObject({ n: { success: false, code: "not-found" } });
  });

  it("refuses ids that are none", async () => {
    const as = await newDocument();
    for (const notificationIds of [[], ["a b"], numbered(1_001)]) {
      const { error } = await call(notificationsRead, { as, data: { organizationId, userId: "u", notificationIds } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
  });
});

describe("AWS calls", () => {
  const place = { organizationId, uid: "x", at: "2026-01-01T00:00:00.000Z", notificationId: "n" };
  const rows = [
    ...f.mocked.rows,
    f.mocked.document,
    { ...dataKeys.owner("w", "x"), organizationId, documentId: "d" },
    { ...dataKeys.notificationName("w", organizationId, "n"), ...place },
    { ...dataKeys.userNotification("w", organizationId, "u", place.at, "n"), ...place, userId: "u", characters: 2 },
  ];

  it("get reads in four rounds after the credentials; read marks one by one write, all by one", async () => {
    const aws = mockAws(rows);
    const asked = { organizationId, userId: "u" };
    expect(await f.callSource(handler, notificationsGet, asked)).toBe(200);
    const note = `W#w#X#x NOTE#${place.at}#n`;
    const mark = `W#w#O#o#UR#u ${place.at}#n`;
    expect(aws.calls().slice(1)).toEqual([
      "Query W#w#O#o#UN#u",
      `BatchGet ${f.keyText.user("u")}, W#w#O#o#UR#u #ALL, W#w#O#o ORG`,
      "Query W#w#O#o#UN#u",
      "Query W#w#O#o#UR#u",
      `BatchGet ${note}, ${mark}, W#w#X#x OWNER`,
      `Get ${f.keyText.document("d")}`,
    ]);
    aws.dynamo.resetHistory();
    expect(await f.callSource(read, notificationsRead, { ...asked, notificationIds: ["n"] })).toBe(200);
    expect(aws.calls()).toEqual([
      "BatchGet W#w#O#o#NOTE#n NOTE, W#w#O#o ORG",
      `BatchGet W#w#O#o#UN#u ${place.at}#n, W#w#X#x OWNER`,
      `Get ${f.keyText.document("d")}`,
      "BatchWrite",
    ]);
    aws.dynamo.resetHistory();
    expect(await f.callSource(read, notificationsRead, asked)).toBe(200);
    expect(aws.calls()).toEqual(["Get W#w#O#o ORG", "Put W#w#O#o#UR#u #ALL"]);
    aws.restore();
  });
});
