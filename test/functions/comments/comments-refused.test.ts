// Requests about feature data that are refused, or that name what does not exist. None changes anything.
import { expect, it } from "vitest";
import { commentannotationsUpdate } from "../../../functions/comments/commentannotations-update.ts";
import { commentsAdd } from "../../../functions/comments/comments-add.ts";
import { commentsDelete } from "../../../functions/comments/comments-delete.ts";
import { commentsUpdate } from "../../../functions/comments/comments-update.ts";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsDataDelete } from "../../../functions/comments/documents-data-delete.ts";
import { documentsDataGet } from "../../../functions/comments/documents-data-get.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { get, remove, removeFrom, updateX, wantEvents } from "../../support/comments.ts";
import { add, documentId, newDocument, person } from "../../support/feature-data.ts";
import { storedOf } from "../../support/refusal.ts";
import { addDocuments, issuesOf, organizationId } from "../../support/workspace.ts";

const on = { organizationId, documentId };
const x = { ...on, annotationId: "x" };
const long = "x".repeat(257);
const from = person("u");

/** The annotation `x` in the document `d`. The document `d2` and the organization `p` have nothing. */
async function withX(): Promise<Credentials> {
  const as = await newDocument();
  await addDocuments(as, undefined, "d2");
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "p" }] } });
  await add(as, { id: "a" }, { comments: [{ annotationId: "x", from, comments: [{ commentId: "1", from }] }] });
  await wantEvents(as);
  return as;
}

type Bad = [field: string, value: unknown, path?: string];
const ofDocument: Bad[] = [
  ["organizationId", undefined],
  ["organizationId", 7],
  ["documentId", null],
  ["documentId", ""],
  ["documentId", long],
  ["documentId", ["d"]],
];
const ofIds = (field: string): Bad[] => [
  [field, undefined],
  [field, []],
  [field, "x"],
  [field, { 0: "x" }],
  [field, ["x", 7], `${field}.1`],
  [field, ["x", long], `${field}.1`],
  [field, Array.from({ length: 1_001 }, (_, index) => `${index}`)],
];
const ofActor: Bad[] = [
  ["actionUser", "u"],
  ["actionUser", {}, "actionUser.userId"],
];
const ofAnnotation: Bad[] = [
  ["annotationId", undefined],
  ["annotationId", ["x"]],
  ["annotationId", long],
];
const many = Array.from({ length: 81 }, (_, index) => person(`${index}`));

const requests: [Pick<Endpoint, "name">, object, Bad[]][] = [
  [
    commentannotationsUpdate,
    { ...on, annotationIds: ["x"], update: { status: "DONE" } },
    [
      ...[...ofDocument, ...ofActor, ...ofIds("annotationIds")],
      ["update", undefined],
      ["update", {}],
      ["update", { unknown: 1 }],
      ["update", "DONE"],
      ["update", { status: ["DONE"] }, "update.status"],
      ["update", { status: "x".repeat(65_537) }, "update.status"],
      ["update", { priority: 1 }, "update.priority"],
      ["update", { assignedTo: "u" }, "update.assignedTo"],
      ["update", { metadata: [] }, "update.metadata"],
    ],
  ],
  [
    commentsAdd,
    { ...x, comments: [{ commentId: "2", from }] },
    [
      ...[...ofDocument, ...ofActor, ...ofAnnotation],
      ["comments", undefined],
      ["comments", []],
      ["comments", { commentId: "2", from }],
      ["comments", [{ from }], "comments.0.commentId"],
      ["comments", [{ commentId: long, from }], "comments.0.commentId"],
      ["comments", [{ commentId: "2", from: "u" }], "comments.0.from"],
      ["comments", [{ commentId: "2", from, text: 7 }], "comments.0.text"],
      ["comments", [{ commentId: "2", from, createdAt: "now" }], "comments.0.createdAt"],
      ["comments", [{ commentId: "2", from, taggedUsers: many }], "comments.0.taggedUsers"],
      ["comments", [{ commentId: "2", from, metadata: "m" }], "comments.0.metadata"],
    ],
  ],
  [
    commentsUpdate,
    { ...x, commentId: "1", text: "New" },
    [
      ...[...ofDocument, ...ofActor, ...ofAnnotation],
      ["commentId", undefined],
      ["commentId", long],
      ["text", null, ""],
      ["text", 7],
      ["text", "x".repeat(65_537)],
      ["taggedUsers", "u"],
      ["taggedUsers", many],
      ["metadata", [1]],
    ],
  ],
  [
    commentsDelete,
    { ...x, commentIds: ["1"] },
    [...ofDocument, ...ofActor, ...ofAnnotation, ...ofIds("commentIds"), ["comments", ["1"]]],
  ],
  [
    documentsDataDelete,
    { ...on, kind: "comments", ids: ["x"] },
    [...ofDocument, ...ofActor, ...ofIds("ids"), ["kind", undefined], ["kind", "notes"], ["kind", ["comments"]]],
  ],
  [
    documentsDataGet,
    { ...on, kind: "comments" },
    [
      ...[...ofDocument, ...ofIds("ids").slice(1)],
      ["kind", "notes"],
      ["order", "random"],
      ["location", "a"],
      ["pageSize", 101],
      ["filters", { createdAfter: "now" }, "filters.createdAfter"],
      ["filters", { status: [] }, "filters.status"],
    ],
  ],
];

it.each(requests.map(([endpoint, ...rest]) => [endpoint.name, endpoint, ...rest] as const))(
  "%s refuses each bad value, names its field, and changes nothing",
  async (_, endpoint, valid, bad) => {
    const as = await withX();
    const before = await storedOf(as);
    for (const [field, value, path = field] of bad) {
      const paths = await issuesOf(endpoint, as, { ...valid, [field]: value });
      expect({ field, value, paths }).toEqual({ field, value, paths: [path] });
    }
    expect(await storedOf(as)).toEqual(before);
  },
);

it("what is in another document or organization is not found, and stays as it is", async () => {
  const as = await withX();
  const before = await storedOf(as);
  for (const [endpoint, valid] of requests) {
    const { data, error } = await call(endpoint, { as, data: { ...valid, documentId: "d2" } });
    if (error) expect(error).toMatchObject({ status: "NOT_FOUND", message: expect.stringContaining("annotation") });
    else if (data.items) expect(data.items).toEqual([]);
    else expect(data.x).toMatchObject({ message: expect.stringContaining("does not exist") });
    const elsewhere = await call(endpoint, { as, data: { ...valid, organizationId: "p" } });
    expect(elsewhere.error).toMatchObject({ status: "NOT_FOUND", message: expect.stringContaining("document") });
  }
  const added = { ...on, organizationId: "p", location: { id: "a" }, reactions: [{ reactionId: "r", from }] };
  expect((await call(documentsDataAdd, { as, data: added })).error?.status).toBe("NOT_FOUND");
  expect(await storedOf(as)).toEqual(before);
});

it("an id that a call repeats is one item", async () => {
  const as = await withX();
  const updated = await updateX(as, { status: "DONE" }, { annotationIds: ["x", "x", "no", "no"] });
  expect(updated.data).toMatchObject({ x: { message: "Updated." }, no: { code: "not-found" } });
  expect((await removeFrom(as, ["1", "1"])).data).toEqual({ 1: { success: true, id: "1", message: "Deleted." } });
  expect(await get(as, "comments", { ids: ["x", "x"] })).toHaveLength(1);
  expect((await remove(as, ["x", "x"])).data).toEqual({ x: { success: true, id: "x", message: "Deleted." } });
});
