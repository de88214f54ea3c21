import { describe, expect, it, onTestFinished } from "vitest";
import { handler, messagesGet } from "../../../functions/messages/messages-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { addTo } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add, documentId } from "../../support/feature-data.ts";
import { ann, bob, drained, fannedOut, mailbox, mention, withMail } from "../../support/messages.ts";
import { callSource, mocked, organizationId } from "../../support/workspace.ts";

fakeDates();

const get = async (as: Credentials, data: object = {}) => (await must(messagesGet, { as, data })).messages;

/** All pages. A page can be empty although more follow. */
async function pagesOf(as: Credentials, data: object): Promise<{ userId: string; state: string; createdAt: string }[]> {
  const found: { userId: string; state: string; createdAt: string }[] = [];
  for (let pageToken: string | null = null; ; ) {
    const page: { messages: []; nextPageToken: string | null } = await must(messagesGet, {
      as,
      data: { ...data, ...(pageToken !== null && { pageToken }) },
    });
    found.push(...page.messages);
    pageToken = page.nextPageToken;
    if (pageToken === null) return found;
  }
}

it("shows a message from the moment it waits until it is sent, under one id", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  const [waiting, ...others] = await get(as);
  expect(others).toEqual([]);
  expect(waiting).toEqual({
    messageId: expect.stringMatching(/^mes_\d{13}_/),
    channel: "email",
    organizationId,
    documentId,
    userId: "bob",
    events: expect.arrayContaining(["comment.add"]),
    createdAt: expect.any(String),
    state: "waiting",
    attempts: 0,
    lastAttemptAt: null,
    nextAttemptAt: expect.any(String),
    error: null,
    causedBy: expect.any(String),
  });
  later(121);
  await drained(
    as,
    mailbox(() => ({ again: "It is down." })),
  );
  const again = { ...waiting, attempts: 1, error: "It is down.", lastAttemptAt: expect.any(String) };
  expect(await get(as)).toEqual([{ ...again, nextAttemptAt: expect.any(String) }]);
  later(120);
  await drained(as, mailbox());
  expect(await get(as)).toMatchObject([
    { messageId: waiting.messageId, state: "sent", attempts: 2, nextAttemptAt: null, error: null },
  ]);
});

/** Messages of three users: two sent ones, then one that waits. */
async function withMessages(): Promise<Credentials> {
  const as = await withMail();
  const cid = { userId: "cid", name: "Cid" };
  await must(usersAdd, { as, data: { organizationId, users: [{ ...cid, email: "cid@example.com" }] } });
  await mention(as);
  await fannedOut(as);
  later(121);
  await drained(as, mailbox());
  await addTo(as, [{ commentId: "c2", from: bob, text: "Yes.", taggedUsers: [cid] }]);
  await fannedOut(as);
  await drained(as, mailbox());
  return as;
}

it("lists what waits first, then the newest, and filters", async () => {
  const as = await withMessages();
  const all = await get(as);
  expect(all.map(({ userId, state }: { userId: string; state: string }) => [userId, state])).toEqual([
    ["ann", "waiting"],
    ["cid", "sent"],
    ["bob", "sent"],
  ]);
  const [waiting, newer, older] = all;
  expect(await get(as, { state: "sent" })).toEqual([newer, older]);
  expect(await get(as, { state: "waiting" })).toEqual([waiting]);
  expect(await get(as, { channel: "slack" })).toEqual([]);
  expect(await get(as, { organizationId, userId: "bob" })).toEqual([older]);
  expect(await get(as, { organizationId, userId: "ann" })).toEqual([waiting]);
  expect(await get(as, { organizationId, documentId })).toEqual(all);
  expect(await get(as, { organizationId: "other", userId: "bob" })).toEqual([]);
  expect(await get(as, { before: newer.createdAt })).toEqual([older]);
  expect(await get(as, { after: newer.createdAt })).toEqual([waiting, newer]);
  expect(await get(as, { organizationId, userId: "bob", after: newer.createdAt })).toEqual([]);
  expect(await get(as, { after: newer.createdAt, before: newer.createdAt })).toEqual([]);
  expect(await pagesOf(as, { pageSize: 1 })).toEqual(all);
});

it("takes every time that a request can have", async () => {
  const as = await withMessages();
  const all = await get(as);
  expect(all).toHaveLength(3);
  expect(await get(as, { after: "0000-01-01T00:00:00Z", before: 253_402_300_799_999 })).toEqual(all);
  expect(await get(as, { after: "2001-09-09", before: 1e13 })).toEqual(all);
  expect(await get(as, { before: "1969-12-31" })).toEqual([]);
  expect(await get(as, { after: 1e13 })).toEqual([]);
});

it("pages many messages without repeating or losing one", async () => {
  const as = await withMail();
  const people = Array.from({ length: 25 }, (_, index) => ({ userId: `p${index}`, name: `P${index}` }));
  const users = people.map((person) => ({ ...person, email: `${person.userId}@example.com` }));
  await must(usersAdd, { as, data: { organizationId, users } });
  const comment = { commentId: "c1", from: ann, text: "All of you.", taggedUsers: people };
  await add(as, { id: "page" }, { comments: [{ annotationId: "x", from: ann, comments: [comment] }] });
  await fannedOut(as);
  const ids = people.map(({ userId }) => userId).toSorted();
  const listed = async () => (await pagesOf(as, { pageSize: 4 })).map(({ userId }) => userId).toSorted();
  expect(await listed()).toEqual(ids);
  later(121);
  await drained(as, mailbox());
  expect(await listed()).toEqual(ids);
});

it("ends a message after 30 days", async () => {
  const as = await withMessages();
  later(30 * 24 * 3_600);
  expect(await get(as, { state: "sent" })).toEqual([]);
});

it("shows nothing of another workspace", async () => {
  await withMessages();
  expect(await get(await newWorkspace())).toEqual([]);
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    [{ channel: "fax" }, "channel"],
    [{ state: "lost" }, "state"],
    [{ userId: "u" }, "organizationId"],
    [{ documentId: "d" }, "organizationId"],
    [{ after: "yesterday" }, "after"],
    [{ after: 2, before: 1 }, "before"],
    [{ pageSize: 101 }, "pageSize"],
  ])("%j", async (data, field) => {
    const { status, error } = await call(messagesGet, { as: await newWorkspace(), data });
    expect(status).toBe(400);
    expect(JSON.stringify(error)).toContain(field);
  });
});

it("NOT_FOUND: the document does not exist", async () => {
  const as = await withMail();
  const reply = await call(messagesGet, { as, data: { organizationId, documentId: "none" } });
  expect(reply.error?.status).toBe("NOT_FOUND");
});

it("reads the queues of the user in both channels, then the list of the user's messages", async () => {
  const aws = mockAws(mocked.rows);
  onTestFinished(aws.restore);
  await callSource(handler, messagesGet, { organizationId, userId: "u" });
  expect(aws.calls()).toMatchInlineSnapshot(`
    [
      "BatchGet W#w WORKSPACE, W#w TOKEN#e3b98a4da31a127d4bde6e43033f66ba274cab0eb7eb1c70ec41402bf6273dd8",
      "Query W#w#M#email#0",
      "Query W#w#M#slack#0",
      "Query W#w#O#o#UM#u",
      "BatchGet W#w SETTING#email, W#w#M#email PAUSE, W#w SETTING#slack, W#w#M#slack PAUSE",
    ]
  `);
});
