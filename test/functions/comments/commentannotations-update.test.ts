import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { commentannotationsUpdate } from "../../../functions/comments/commentannotations-update.ts";
import { annotationX, eventsOf, expectConsistent, get, remove, updateX, wantEvents } from "../../support/comments.ts";
import { add, documentId, exportOf, newDocument, person } from "../../support/feature-data.ts";
import { storedOf } from "../../support/refusal.ts";
import { issuesOf, newOrganization, organizationId } from "../../support/workspace.ts";

const a = { id: "a" };
const annotation = (annotationId: string, more: object = {}) => ({ annotationId, from: person("u"), ...more });
const result = (id: string, message: string) => ({ [id]: { success: true, id, message } });

async function withX(more: object = {}) {
  const as = await newDocument();
  await add(as, a, { comments: [annotation("x", more)], silent: true });
  await wantEvents(as);
  return as;
}

describe("OK", () => {
  it("sets status, priority, assignment and metadata, tells each change, and makes the assigned user a participant", async () => {
    const as = await withX({ status: "OPEN", metadata: { kept: null, gone: 1, set: 1 } });
    const update = {
      status: "DONE",
      priority: "P1",
      assignedTo: { userId: "v", name: null },
      metadata: { gone: null, set: 2, more: { deep: null } },
    };
    expect((await updateX(as, update, { actionUser: person("w") })).data).toEqual(result("x", "Updated."));
    expect(await annotationX(as)).toEqual({
      ...annotation("x", { status: "DONE", priority: "P1", assignedTo: person("v") }),
      metadata: { kept: null, set: 2, more: { deep: null } },
      updatedAt: expect.any(String),
      ...{ organizationId, documentId, location: a },
    });
    const by = { annotationId: "x", actionUserId: "w" };
    expect(await eventsOf(as)).toEqual([
      ["comment_annotation.status_change", { ...by, status: "DONE" }],
      ["comment_annotation.priority_change", { ...by, priority: "P1" }],
      ["comment_annotation.assign", { ...by, assignedTo: "v" }],
      ["comment_annotation.update", by],
    ]);
    expect((await exportOf(as, "v")).comments).toHaveLength(1);
    expect(await get(as, "comments", { filters: { status: "DONE", assignedTo: "v" } })).toHaveLength(1);
    await expectConsistent(as);
  });

  it("tells the beginning and the hash of a value that is too long for an event", async () => {
    const as = await withX({});
    const long = (end: string) => `${"é".repeat(1_000)}${end}`;
    await updateX(as, { status: long("a"), priority: long("b") });
    await updateX(as, { status: long("c"), priority: long("") });
    const x = { annotationId: "x" };
    const cut = (field: string, end: string) => [
      `comment_annotation.${field}_change`,
      { ...x, [field]: `${long("")}…`, cut: { [field]: hash("sha256", long(end), "hex") } },
    ];
    expect(await eventsOf(as)).toEqual([
      cut("status", "a"),
      cut("priority", "b"),
      cut("status", "c"),
      ["comment_annotation.priority_change", { ...x, priority: long("") }],
    ]);
  });

  it("clears fields with null, and the cleared assignment ends the participation", async () => {
    const as = await withX({ status: "OPEN", priority: "P1", assignedTo: person("v"), metadata: { m: 1 } });
    await updateX(as, { status: null, priority: null, assignedTo: null, metadata: null });
    expect(await annotationX(as)).toEqual({
      ...annotation("x", { updatedAt: expect.any(String) }),
      ...{ organizationId, documentId, location: a },
    });
    const x = { annotationId: "x" };
    expect(await eventsOf(as)).toEqual([
      ["comment_annotation.status_change", { ...x, status: null }],
      ["comment_annotation.priority_change", { ...x, priority: null }],
      ["comment_annotation.assign", { ...x, assignedTo: null }],
      ["comment_annotation.update", x],
    ]);
    expect((await exportOf(as, "v")).comments).toEqual([]);
    await expectConsistent(as);
  });

  it("writes and tells nothing for equal values", async () => {
    const as = await withX({ status: "OPEN", metadata: { m: [1] } });
    const before = await storedOf(as);
    for (const update of [{ status: "OPEN" }, { metadata: { m: [1] } }, { priority: null, metadata: { no: null } }]) {
      expect((await updateX(as, update)).data).toEqual(result("x", "Unchanged."));
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it("updates many, and fails for those that do not exist or would be too large", async () => {
    const as = await newDocument();
    const [text, ids] = ["x".repeat(65_000), Array.from({ length: 120 }, (_, index) => `${index}`)];
    await add(as, a, { comments: ids.map((id) => annotation(id)) });
    await add(as, a, { comments: [annotation("x", { metadata: { a: text, b: text, c: text, d: text } })] });
    const { data } = await updateX(as, { metadata: { e: text } }, { annotationIds: [...ids, "x", "no"] });
    expect(data).toEqual({
      ...Object.assign({}, ...ids.map((id) => result(id, "Updated."))),
      x: {
        success: false,
        id: "x",
        code: "beyond-limit",
        message: "The comment annotation would have more than 262144 bytes as JSON.",
      },
      no: { success: false, id: "no", code: "not-found", message: "The comment annotation does not exist." },
    });
    await expectConsistent(as);
  });

  it("never leaves anything of an annotation that is deleted at the same time", async () => {
    const as = await newDocument();
    await wantEvents(as);
    for (let round = 0; round < 16; round++) {
      await add(as, a, { comments: [annotation("x")] });
      const [updated] = await Promise.all([updateX(as, { assignedTo: person(`v${round}`) }), remove(as, ["x"])]);
      expect(updated.data.x.success || updated.data.x.code === "not-found").toBe(true);
      const told = (await eventsOf(as)).some(
        ([, data]) => (data as { assignedTo?: string }).assignedTo === `v${round}`,
      );
      expect(told).toBe(updated.data.x.success);
      expect(await get(as)).toEqual([]);
      await expectConsistent(as);
    }
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document and another workspace's", async () => {
    const [as, other] = [await withX(), await newOrganization()];
    const before = await storedOf(as);
    for (const [who, more] of [
      [as, { documentId: "no" }],
      [other, {}],
    ] as const) {
      expect((await updateX(who, { status: "DONE" }, more)).error?.status).toBe("NOT_FOUND");
    }
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["an update of nothing", {}, ["update"]],
    ["a status that is no string", { status: 1 }, ["update.status"]],
    ["an assigned user without id", { assignedTo: {} }, ["update.assignedTo.userId"]],
    ["a long text in metadata", { metadata: { a: "x".repeat(65_537) } }, ["update.metadata"]],
  ])("is returned for %s", async (_, update, paths) => {
    const data = { organizationId, documentId, annotationIds: ["x"], update };
    expect(await issuesOf(commentannotationsUpdate, await newDocument(), data)).toEqual(paths);
  });
});
