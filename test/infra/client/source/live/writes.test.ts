import { beforeEach, describe, expect, it } from "vitest";
import { LiveDocument } from "../../../../../infra/client/source/live/document.ts";
import { type Clock, type Engine, failure, livePage, type Service } from "../../../../support/client/live-page.ts";
import { turns } from "../../../../support/turns.ts";

const place = { organizationId: "acme", documentId: "plan" };
const location = { id: "page-1", locationName: "Page 1" };
const thread = { annotationId: "a", status: "OPEN", comments: [{ commentId: "c1", text: "Shall we?" }] };

let clock: Clock;
let engine: Engine;
let service: Service;
let document: LiveDocument;
let calls: Record<string, unknown>;

beforeEach(async () => {
  const page = livePage();
  calls = page.shared.calls;
  ({ clock, engine, service } = page);
  document = new LiveDocument(place, page.shared);
  service.tables.comments?.set("a", thread);
  document.subscribe({ comments: () => undefined, reactions: () => undefined });
  await clock.pass(40_000);
});

const comments = () => document.getSnapshot().comments;
const reactions = () => document.getSnapshot().reactions;
const writes = () => document.getSnapshot().writes;
const texts = () => comments()?.flatMap((each) => each.comments.map(({ text }: { text: string }) => text));
/** Holds a call until it is told how to end. */
function held(name: string) {
  const gate = Promise.withResolvers<void>();
  service.before = (called) => (called === name ? gate.promise : undefined);
  return gate;
}

describe("a write", () => {
  it("is shown at once as it will be, and stays while it becomes what is stored", async () => {
    const gate = held("add");
    const { annotationId, commentId, done } = document.addThread(location, {
      comment: { text: "New" },
      priority: "P1",
    });
    const from = { userId: "alice" };
    const createdAt = new Date(1_700_000_040_000).toISOString();
    expect(comments()?.[1]).toEqual({
      ...{ ...place, annotationId, from, createdAt, location, priority: "P1" },
      comments: [{ commentId, text: "New", from, createdAt }],
    });
    expect(writes()).toEqual({ pending: [annotationId] });
    const seen: unknown[] = [];
    document.subscribe({ comments: () => seen.push(texts()) });
    gate.resolve();
    await done;
    await turns(20);
    expect(seen).not.toContainEqual(["Shall we?"]);
    expect(writes()).toEqual({ pending: [] });
    expect(comments()?.[1]).toEqual({ annotationId, priority: "P1", comments: [{ commentId, text: "New" }] });
  });

  it.each<[string, string, () => unknown, unknown[] | undefined]>([
    ["a comment", "commentsAdd", () => document.addComment("a", { text: "Yes." }), ["Shall we?", "Yes."]],
    ["an edit", "commentsUpdate", () => document.editComment("a", "c1", { text: "We shall." }), ["We shall."]],
    ["a deleted comment", "commentsDelete", () => document.deleteComment("a", "c1"), []],
    ["a deleted thread", "delete", () => document.deleteThread("a"), []],
  ])("of %s is shown at once, and rolled back with its reason", async (_, name, write, shown) => {
    const gate = held(name);
    write();
    expect(texts()).toEqual(shown);
    const error = failure("PERMISSION_DENIED");
    gate.reject(error);
    await turns(20);
    expect([texts(), writes().failed]).toEqual([["Shall we?"], { kind: "comments", id: "a", error }]);
  });

  it("of a status, a priority and metadata is shown as the service merges them", async () => {
    const gate = held("update");
    const done = document.updateThread("a", {
      status: "RESOLVED",
      priority: null,
      metadata: { colour: "red", old: null },
    });
    expect(comments()).toEqual([{ ...thread, status: "RESOLVED", metadata: { colour: "red" } }]);
    gate.resolve();
    await done;
  });

  it("of a reaction is shown, and one that is taken back disappears", async () => {
    const { reactionId, done } = document.addReaction(location, { icon: "👍", annotationId: "a" });
    expect(reactions()).toMatchObject([{ reactionId, icon: "👍", from: { userId: "alice" } }]);
    await done;
    await turns(20);
    expect(reactions()).toHaveLength(1);
    await document.deleteReaction(reactionId);
    expect(reactions()).toEqual([]);
  });

  it("is sent again with its idempotency key after each loss, and as soon as the page is connected again", async () => {
    engine.isDown = true;
    engine.open[0]?.drop();
    const down = failure("UNAVAILABLE", { httpStatus: 0 });
    service.before = () => {
      throw down;
    };
    const { done } = document.addComment("a", { text: "Later." });
    await clock.pass(600_000);
    expect(texts()).toEqual(["Shall we?", "Later."]);
    const tries = service.keys.length;
    expect(tries).toBeGreaterThan(10);
    service.before = () => undefined;
    engine.isDown = false;
    await clock.pass(30_000);
    await done;
    expect(new Set(service.keys).size).toBe(1);
    expect([texts(), writes()]).toEqual([["Shall we?", "Later."], { pending: [] }]);
  });

  it("waits for those before it, so that a comment comes after its thread", async () => {
    const gate = held("add");
    const { annotationId, done } = document.addThread(location, { comment: { text: "One" } });
    const second = document.addComment(annotationId, { text: "Two" });
    await turns(20);
    expect(service.log.at(-1)).toBe("add");
    gate.resolve();
    await Promise.all([done, second.done]);
    await turns(20);
    expect(texts()).toEqual(["Shall we?", "One", "Two"]);
  });

  it("is rolled back alone: those before and after it stay", async () => {
    service.before = (name) => {
      if (name === "update") throw failure("NOT_FOUND");
    };
    const first = document.addComment("a", { text: "One" });
    const second = document.updateThread("a", { status: "RESOLVED" });
    const third = document.addComment("a", { text: "Two" });
    await expect(second).rejects.toMatchObject({ status: "NOT_FOUND" });
    await Promise.all([first.done, third.done]);
    await turns(20);
    expect([texts(), comments()?.[0]?.status]).toEqual([["Shall we?", "One", "Two"], "OPEN"]);
  });

  it("of which the service refuses the item is rolled back with the code and message of the item", async () => {
    calls.commentsAdd = async () => ({ c1: { success: false, code: "already-exists", message: "Taken." } });
    const { done } = document.addComment("a", { commentId: "c1", text: "Mine" });
    await expect(done).rejects.toMatchObject({ status: "ALREADY_EXISTS", message: "Taken." });
    expect(texts()).toEqual(["Shall we?"]);
  });

  it("shows over what others change meanwhile", async () => {
    const gate = held("commentsAdd");
    document.addComment("a", { text: "Mine" });
    service.tables.comments?.set("a", {
      ...thread,
      comments: [...thread.comments, { commentId: "c2", text: "Theirs" }],
    });
    engine.tell("/doc/0", { v: 1, seq: ++service.seq, kind: "comments", ids: ["a"] });
    await turns(20);
    expect(texts()).toEqual(["Shall we?", "Theirs", "Mine"]);
    gate.resolve();
    await turns(20);
    expect(texts()).toEqual(["Shall we?", "Theirs", "Mine"]);
  });

  it("shows once when a read has it before its call has ended", async () => {
    const gate = Promise.withResolvers<void>();
    service.after = () => gate.promise;
    service.engine = engine;
    document.addComment("a", { text: "Mine" });
    await turns(20);
    expect(service.tables.comments?.get("a")?.comments).toHaveLength(2);
    expect(texts()).toEqual(["Shall we?", "Mine"]);
    gate.resolve();
    await turns(20);
    expect(texts()).toEqual(["Shall we?", "Mine"]);
  });

  it("of a page that nobody looks at any more is still sent", async () => {
    const gate = held("commentsAdd");
    const { done } = document.addComment("a", { text: "Mine" });
    await clock.change("left");
    gate.resolve();
    await done;
    expect(service.tables.comments?.get("a")?.comments).toHaveLength(2);
  });
});
