// The three endpoints that change the comments of an annotation.
import { describe, expect, it } from "vitest";
import { commentsAdd } from "../../../functions/comments/comments-add.ts";
import { commentsDelete } from "../../../functions/comments/comments-delete.ts";
import { commentsUpdate } from "../../../functions/comments/comments-update.ts";
import {
  addTo,
  annotationX,
  eventsOf,
  expectConsistent,
  get,
  remove,
  removeFrom,
  updateComment,
  wantEvents,
} from "../../support/comments.ts";
import { add, documentId, exportOf, newDocument, person } from "../../support/feature-data.ts";
import { storedOf } from "../../support/refusal.ts";
import { issuesOf, newOrganization, organizationId } from "../../support/workspace.ts";

const a = { id: "a" };
const comment = (commentId: string, userId = "u", more: object = {}) => ({ commentId, from: person(userId), ...more });
const at = "2026-01-01T00:00:00Z";
const people = (count: number) => Array.from({ length: count }, (_, index) => person(`p${index}`));
const success = (id: string, message: string) => ({ [id]: { success: true, id, message } });

/** A document with the annotation `x` that has the comment `1`. */
async function withX(more: object = {}) {
  const as = await newDocument();
  const annotation = { annotationId: "x", from: person("u"), comments: [comment("1", "u", { text: "One" })], ...more };
  await add(as, a, { comments: [annotation], silent: true });
  await wantEvents(as);
  return as;
}

const idsOf = async (as: Awaited<ReturnType<typeof withX>>) =>
  ((await annotationX(as))?.comments ?? []).map(({ commentId }: { commentId: string }) => commentId);

describe("adding comments", () => {
  it("appends them, tells each, and makes tagged users and authors participants", async () => {
    const as = await withX();
    const comments = [comment("2", "v", { text: "Two", taggedUsers: [person("w")], createdAt: at }), comment("3")];
    const { data } = await addTo(as, [...comments, comment("2", "other")], { actionUser: person("v") });
    expect(data).toEqual({ ...success("2", "Added."), ...success("3", "Added.") });
    expect((await annotationX(as)).comments).toEqual([
      comment("1", "u", { text: "One" }),
      comments[0],
      { ...comments[1], createdAt: expect.any(String) },
    ]);
    expect(await eventsOf(as)).toEqual([
      ["comment.add", { annotationId: "x", commentId: "2", from: "v", actionUserId: "v" }],
      ["comment.add", { annotationId: "x", commentId: "3", from: "u", actionUserId: "v" }],
    ]);
    for (const user of ["v", "w"]) expect((await exportOf(as, user)).comments).toHaveLength(1);
    expect(await get(as, "comments", { filters: { mentions: "w" } })).toHaveLength(1);
    await expectConsistent(as);
  });

  it("changes nothing when a call is repeated, and refuses another comment with the id", async () => {
    const as = await withX();
    await addTo(as, [comment("2", "v")]);
    const before = await storedOf(as);
    expect((await addTo(as, [comment("2", "v")])).data).toEqual(success("2", "Unchanged."));
    expect((await addTo(as, [comment("2", "w")])).data).toEqual({
      2: {
        success: false,
        id: "2",
        code: "already-exists",
        message: "The annotation has another comment with this id.",
      },
    });
    expect(await storedOf(as)).toEqual(before);
  });

  it("keeps all of 16 replies that are added at once", async () => {
    for (let round = 0; round < 3; round++) {
      const as = await withX();
      const ids = Array.from({ length: 16 }, (_, index) => `r${index}`);
      const replies = await Promise.all(ids.map((id) => addTo(as, [comment(id, `by ${id}`)])));
      expect(replies.map(({ error }) => error)).toEqual(ids.map(() => undefined));
      expect((await idsOf(as)).sort()).toEqual(["1", ...ids].sort());
      expect((await eventsOf(as)).map(([, data]) => (data as { commentId: string }).commentId).sort()).toEqual(
        ids.sort(),
      );
      await expectConsistent(as);
    }
  });

  it.each([
    [
      "200 comments",
      { comments: Array.from({ length: 200 }, (_, index) => comment(`${index}`)) },
      comment("new"),
      "200 comments",
    ],
    [
      "80 participants",
      { comments: [comment("1", "u", { taggedUsers: people(79) })] },
      comment("new", "v"),
      "80 participants",
    ],
    [
      "256 KB",
      { metadata: Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, "x".repeat(65_000)])) },
      comment("new", "u", { text: "x".repeat(3_000) }),
      "262144 bytes as JSON",
    ],
  ])("is RESOURCE_EXHAUSTED beyond %s, and nothing is written", async (_, more, added, what) => {
    const as = await withX(more);
    const before = await storedOf(as);
    const { error } = await addTo(as, [added]);
    expect(error).toMatchObject({
      status: "RESOURCE_EXHAUSTED",
      message: `The comment annotation would have more than ${what}.`,
    });
    expect(await storedOf(as)).toEqual(before);
  });

  it("either comes before a deletion of the annotation or is NOT_FOUND, and leaves nothing", async () => {
    const as = await withX();
    for (let round = 0; round < 12; round++) {
      await add(as, a, { comments: [{ annotationId: "x", from: person("u") }], silent: true });
      const [added] = await Promise.all([addTo(as, [comment("2", `v${round}`)]), remove(as, ["x"])]);
      expect([undefined, "NOT_FOUND"]).toContain(added.error?.status);
      const told = (await eventsOf(as)).some(([, data]) => (data as { from?: string }).from === `v${round}`);
      expect(told).toBe(added.error === undefined);
      await expectConsistent(as);
    }
  });
});

describe("updating a comment", () => {
  it("sets its text, tagged users and metadata, and tells it", async () => {
    const as = await withX({ comments: [comment("1", "u", { taggedUsers: [person("v")], metadata: { m: 1, n: 1 } })] });
    const update = { text: "New", taggedUsers: [person("w")], metadata: { m: null, o: 2 } };
    expect((await updateComment(as, "1", update, { actionUser: person("u") })).data).toEqual({
      annotationId: "x",
      commentId: "1",
    });
    expect((await annotationX(as)).comments).toEqual([
      comment("1", "u", {
        text: "New",
        taggedUsers: [person("w")],
        metadata: { n: 1, o: 2 },
        updatedAt: expect.any(String),
      }),
    ]);
    expect(await eventsOf(as)).toEqual([["comment.update", { annotationId: "x", commentId: "1", actionUserId: "u" }]]);
    expect((await exportOf(as, "v")).comments).toEqual([]);
    expect((await exportOf(as, "w")).comments).toHaveLength(1);
    await expectConsistent(as);
  });

  it("writes nothing for equal values, and is NOT_FOUND for a missing comment, annotation or document", async () => {
    const [as, other] = [await withX(), await newOrganization()];
    const before = await storedOf(as);
    expect((await updateComment(as, "1", { text: "One" })).error).toBeUndefined();
    for (const [who, id, more] of [
      [as, "2", {}],
      [as, "1", { annotationId: "no" }],
      [as, "1", { documentId: "no" }],
      [other, "1", {}],
    ] as const) {
      expect((await updateComment(who, id, { text: "New" }, more)).error?.status).toBe("NOT_FOUND");
    }
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("deleting comments", () => {
  it("removes them with their participants, and tells it; the annotation stays", async () => {
    const as = await withX({ comments: [comment("1"), comment("2", "v", { taggedUsers: [person("w")] })] });
    expect((await removeFrom(as, ["2", "no"], { actionUser: person("u") })).data).toEqual({
      ...success("2", "Deleted."),
      ...success("no", "The comment does not exist."),
    });
    expect(await idsOf(as)).toEqual(["1"]);
    await removeFrom(as, ["1"]);
    expect(await idsOf(as)).toEqual([]);
    expect(await eventsOf(as)).toEqual([
      ["comment.delete", { annotationId: "x", commentId: "2", actionUserId: "u" }],
      ["comment.delete", { annotationId: "x", commentId: "1" }],
    ]);
    for (const user of ["v", "w"]) expect((await exportOf(as, user)).comments).toEqual([]);
    await expectConsistent(as);
  });

  it("is NOT_FOUND without the annotation", async () => {
    expect((await removeFrom(await withX(), ["1"], { annotationId: "no" })).error?.status).toBe("NOT_FOUND");
  });
});

describe("replacing the thread with documents/data/add", () => {
  it("tells what changed, and nothing with silent", async () => {
    const as = await withX({ status: "OPEN", comments: [comment("1"), comment("2"), comment("3")] });
    const next = {
      annotationId: "x",
      from: person("u"),
      status: "DONE",
      comments: [comment("1"), comment("2", "u", { text: "New" }), comment("4")],
    };
    await add(as, a, { comments: [next], actionUser: person("w") });
    const by = { annotationId: "x", actionUserId: "w" };
    const expected = [
      ["comment_annotation.status_change", { ...by, status: "DONE" }],
      ["comment.update", { ...by, commentId: "2" }],
      ["comment.add", { ...by, commentId: "4", from: "u" }],
      ["comment.delete", { ...by, commentId: "3" }],
    ];
    expect(await eventsOf(as)).toEqual(expected);
    await add(as, a, { comments: [{ ...next, comments: [] }], silent: true });
    expect(await eventsOf(as)).toEqual(expected);
    await expectConsistent(as);
  });

  it("takes a repeated comment id as one comment, the first, and its participants alone", async () => {
    const as = await withX();
    const comments = [comment("1", "v", { text: "First" }), comment("1", "w", { text: "Second" })];
    await add(as, a, { comments: [{ annotationId: "x", from: person("u"), comments }] });
    expect((await annotationX(as)).comments).toEqual([comments[0]]);
    expect((await exportOf(as, "w")).comments).toEqual([]);
    await expectConsistent(as);
  });

  it("has room for the events of 200 comments that replace 200 others, with the longest ids", async () => {
    const as = await withX();
    const long = "🦜".repeat(250);
    const thread = (first: number) => ({
      annotationId: long,
      from: person("u"),
      comments: Array.from({ length: 200 }, (_, index) => comment(`${long}${first + index}`)),
    });
    await add(as, a, { comments: [thread(100)], silent: true });
    await add(as, a, { comments: [thread(300)], actionUser: person(long) });
    expect(await eventsOf(as)).toHaveLength(400);
    await expectConsistent(as);
  });
});

describe("INVALID_ARGUMENT", () => {
  const ref = { organizationId, documentId, annotationId: "x" };
  it.each([
    ["no comments", { comments: [] }, ["comments"]],
    ["201 comments", { comments: Array.from({ length: 201 }, (_, index) => comment(`${index}`)) }, ["comments"]],
    ["a comment without author", { comments: [{ commentId: "1" }] }, ["comments.0.from"]],
  ])("is returned for adding %s", async (_, more, paths) => {
    expect(await issuesOf(commentsAdd, await newDocument(), { ...ref, ...more })).toEqual(paths);
  });

  it.each([
    ["nothing", {}, [""]],
    ["a text that is no string", { text: 1 }, ["text"]],
    ["81 tagged users", { taggedUsers: people(81) }, ["taggedUsers"]],
  ])("is returned for updating %s", async (_, more, paths) => {
    expect(await issuesOf(commentsUpdate, await newDocument(), { ...ref, commentId: "1", ...more })).toEqual(paths);
  });

  it.each([
    ["no ids", { commentIds: [] }, ["commentIds"]],
    ["an unknown field", { commentIds: ["1"], commentId: "1" }, ["commentId"]],
  ])("is returned for deleting %s", async (_, more, paths) => {
    expect(await issuesOf(commentsDelete, await newDocument(), { ...ref, ...more })).toEqual(paths);
  });
});
