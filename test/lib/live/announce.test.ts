import { describe, expect, it, vi } from "vitest";
import { commentannotationsUpdate } from "../../../functions/comments/commentannotations-update.ts";
import { commentsAdd } from "../../../functions/comments/comments-add.ts";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsDataDelete } from "../../../functions/comments/documents-data-delete.ts";
import { documentsDataGet } from "../../../functions/comments/documents-data-get.ts";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { crdtDelete } from "../../../functions/editor-content/crdt-delete.ts";
import { crdtUpdate } from "../../../functions/editor-content/crdt-update.ts";
import { liveOpen } from "../../../functions/live/live-open.ts";
import { notificationsAdd } from "../../../functions/notifications/notifications-add.ts";
import { notificationsDelete } from "../../../functions/notifications/notifications-delete.ts";
import { notificationsRead } from "../../../functions/notifications/notifications-read.ts";
import { presenceAdd } from "../../../functions/presence/presence-add.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { tellUsers } from "../../../lib/live/announce.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { seqOf } from "../../../lib/store/listening.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { call, must } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { newEngine, newListener } from "../../support/live.ts";
import { runPurges } from "../../support/run-purges.ts";
import { deliver } from "../../support/run-worker.ts";
import { callAs, tokenOf } from "../../support/users.ts";
import { addDocuments, organizationId } from "../../support/workspace.ts";

fakeDates(Date.parse("2026-01-31T12:01:00.000Z"));

const on = { documentId: "d" };
const threads = (...ids: string[]) =>
  ids.map((annotationId) => ({ annotationId, comments: [{ commentId: "c", text: "Hello" }] }));
const addThreads = (token: string, ...ids: string[]) =>
  callAs(token, documentsDataAdd, { ...on, location: { id: "1" }, comments: threads(...ids) });

type Listener = Awaited<ReturnType<typeof newListener>>;
const messages = ({ taken }: Pick<Listener, "taken">) => taken.flatMap(({ events }) => events);

describe("a change of a document to which a page listens", () => {
  it("is told by one message of its kind with its ids, in the document's channel", async () => {
    const listener = await newListener();
    const { taken, token, opened } = listener;
    // The first thread at a location is written alone.
    await addThreads(token, "first");
    await addThreads(token, "a", "b");
    await callAs(token, commentsAdd, { ...on, annotationId: "a", comments: [{ commentId: "d", text: "Yes" }] });
    const update = { ...on, annotationIds: ["a"], update: { status: "RESOLVED" } };
    await callAs(token, commentannotationsUpdate, update);
    await callAs(token, documentsDataDelete, { ...on, kind: "comments", ids: ["b", "none"] });
    expect(messages(listener)).toEqual([
      { v: 1, seq: 1, kind: "comments", ids: ["first"] },
      { v: 1, seq: 2, kind: "comments", ids: ["a", "b"] },
      { v: 1, seq: 3, kind: "comments", ids: ["a"] },
      { v: 1, seq: 4, kind: "comments", ids: ["a"] },
      { v: 1, seq: 5, kind: "comments", ids: ["b"] },
    ]);
    expect(new Set(taken.map(({ channel }) => `/${channel}`))).toEqual(new Set([opened.channels.document.now]));
  });

  it("is told for editors, the presence and the document itself, by servers too", async () => {
    const listener = await newListener();
    const { as, token } = listener;
    const data = { organizationId, ...on };
    const editor = { ...on, editorId: "e", type: "text", update: "AQEBAAQBB2NvbnRlbnQGUGxhbi4gAA==" };
    await callAs(token, crdtUpdate, editor);
    await callAs(token, crdtUpdate, editor);
    await must(crdtDelete, { as, data: { ...data, editorIds: ["e"] } });
    await must(presenceAdd, { as, data: { ...data, users: [{ userId: "ann" }, { userId: "bob" }] } });
    await must(presenceAdd, { as, data: { ...data, users: [{ userId: "ann" }, { userId: "bob" }] } });
    const documents = [{ ...on, documentName: "New" }];
    await must(documentsUpdate, { as, data: { organizationId, documents } });
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    expect(messages(listener).map(({ kind, ids }) => [kind, ids])).toEqual([
      ["crdt", ["e"]],
      ["crdt", ["e"]],
      ["crdt", ["e"]],
      ["crdt", ["e"]],
      ["presence", ["bob"]],
      ["document", undefined],
      ["document", undefined],
    ]);
  });

  it("is told without ids where there are more than 20, or they have more than 1 KB", async () => {
    const listener = await newListener();
    const many = Array.from({ length: 21 }, (_, index) => `a${index}`);
    await addThreads(listener.token, "first");
    await addThreads(listener.token, ...many.slice(1));
    await addThreads(listener.token, ...many.map((id) => `x${id}`));
    await addThreads(listener.token, "é".repeat(250), "ü".repeat(250));
    expect(messages(listener).map(({ ids }) => ids?.length)).toEqual([1, 20, undefined, undefined]);
  });

  it("is told in the former channel too while a window is younger than 30 s", async () => {
    const { taken, token, opened } = await newListener();
    const { now, next } = opened.channels.document;
    later(120);
    await addThreads(token, "a");
    later(29);
    await addThreads(token, "b");
    later(1);
    await addThreads(token, "c");
    const channels = taken.map(({ channel, events }) => [`/${channel}`, events[0]?.seq]);
    expect(channels.sort()).toEqual(
      [
        [next, 1],
        [now, 1],
        [next, 2],
        [now, 2],
        [next, 3],
      ].sort(),
    );
  });

  it("is not told about another document", async () => {
    const listener = await newListener();
    await addDocuments(listener.as, undefined, "other");
    const documents = [{ documentId: "other", documentName: "New" }];
    await must(documentsUpdate, { as: listener.as, data: { organizationId, documents } });
    expect(messages(listener)).toEqual([]);
  });
});

describe("an erasure", () => {
  it("has the pages of a document read all again when it has removed the last of the user", async () => {
    const listener = await newListener();
    const { as, token, taken } = listener;
    const bob = await tokenOf(as, "bob");
    await addThreads(token, "a");
    await callAs(bob, commentsAdd, { ...on, annotationId: "a", comments: [{ commentId: "d", text: "By bob" }] });
    await addDocuments(as, undefined, "other");
    await beginErasure(as.apiKey, { userIds: ["bob"] });
    const found: boolean[] = [];
    const beforePass = async () => {
      // ann's page stays open.
      await callAs(token, liveOpen, on);
      taken.length = 0;
    };
    const afterPass = async () => {
      const { items } = await must(documentsDataGet, { as, data: { organizationId, ...on, kind: "comments" } });
      const told = messages(listener).filter(({ kind }) => kind === "document");
      expect(told.every(({ ids, seq }) => ids === undefined && seq !== undefined)).toBe(true);
      if (told.length > 0) found.push(JSON.stringify(items).includes("bob"));
    };
    await runPurges(as, { beforePass, afterPass });
    expect(found.at(-1)).toBe(false);
  });

  it("tells nobody of documents to which nobody listens", async () => {
    const listener = await newListener();
    later(300);
    await beginErasure(listener.as.apiKey, { userIds: ["bob"] });
    await runPurges(listener.as);
    expect(messages(listener)).toEqual([]);
    expect(await seqOf(await document(listener))).toBe(0);
  });
});

describe("the notifications of a user whose page listens", () => {
  it("are told in the user's channel: a new one, those that are read, and those that are deleted", async () => {
    const { as, taken, token, opened } = await newListener();
    const add = {
      ...on,
      actionUser: { userId: "bob" },
      displayBodyMessage: "Hi",
      displayHeadlineMessageTemplate: "Hi",
    };
    const notifyUsers = [{ userId: "ann" }, { userId: "carl" }];
    await must(notificationsAdd, { as, data: { organizationId, ...add, notificationId: "n", notifyUsers } });
    for (const { id } of await jobsOf(as, "notify")) await deliver(notify, [id]);
    await callAs(token, notificationsRead, { notificationIds: ["n"] });
    await callAs(token, notificationsRead, {});
    await callAs(token, notificationsDelete, { notificationIds: ["n"] });
    expect(taken.map(({ channel }) => `/${channel}`)).toEqual(Array(4).fill(opened.channels.user.now));
    const told = { v: 1, kind: "notifications" };
    expect(messages({ taken })).toEqual([
      { ...told, ids: ["n"] },
      { ...told, ids: ["n"] },
      told,
      { ...told, ids: ["n"] },
    ]);
  });
});

const document = async ({ as: { apiKey: workspace } }: Listener) => {
  const { documentUid } = (await Document.get({ workspace, organizationId, ...on })) as Document.Document;
  return { workspace, documentUid };
};

describe("the number of a message", () => {
  it("is reserved before the change is written, so a change that is not told leaves a hole", async () => {
    const listener = await newListener();
    const ref = await document(listener);
    const seqs: number[] = [];
    interceptStore(async ({ constructor: { name } }) => {
      if (name === "TransactWriteCommand" && seqs.length === 0) seqs.push(await seqOf(ref));
    });
    await addThreads(listener.token, "a");
    vi.restoreAllMocks();
    expect(seqs).toEqual([1]);
    expect((await callAs(listener.token, liveOpen, on)).data.seq).toBe(1);
  });

  it("is not reserved, and nothing is sent, when nobody listens any more", async () => {
    const listener = await newListener();
    later(299);
    await addThreads(listener.token, "a");
    later(1);
    await addThreads(listener.token, "b");
    expect(messages(listener)).toHaveLength(1);
    expect(await seqOf(await document(listener))).toBe(1);
  });
});

it("no failure of the engine fails the call, and its log line counts it", async () => {
  const { token } = await newListener();
  await newEngine(500);
  expect((await addThreads(token, "a")).status).toBe(200);
  vi.stubEnv("LIVE_HTTP_URL", "http://127.0.0.1:1/event");
  expect((await addThreads(token, "b")).status).toBe(200);
  const failures = logs().filter(({ message }) => message === "Live messages were not sent.");
  expect(failures).toHaveLength(2);
  expect(logs().filter(({ liveFailures }) => liveFailures === 1)).toHaveLength(2);
});

it("keys that cannot be read fail no call whose changes are written", async () => {
  await newEngine();
  interceptStore(async () => {
    throw new Error("No reply.");
  });
  const user = { organizationId, userId: "ann", generation: 1, listenedUntil: Date.now() };
  await tellUsers({ workspace: "unread" }, [user], ["n"]);
  vi.restoreAllMocks();
  expect(logs().filter(({ message }) => message === "Live messages were not sent.")).toHaveLength(1);
});

it("a call that is refused reserves and tells nothing", async () => {
  const listener = await newListener();
  const eve = { ...on, location: { id: "1" }, comments: threads("a") };
  const refused = await call(documentsDataAdd, {
    data: { organizationId, ...eve },
    headers: { authorization: `Bearer ${listener.token.slice(0, -4)}AAAA` },
  });
  expect(refused.status).toBe(401);
  expect(await seqOf(await document(listener))).toBe(0);
  expect(messages(listener)).toEqual([]);
});
