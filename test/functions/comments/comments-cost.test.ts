// What changes of feature data cost, at the usual and at the largest size.
import { expect, it } from "vitest";
import * as annotations from "../../../functions/comments/commentannotations-update.ts";
import * as adding from "../../../functions/comments/comments-add.ts";
import * as deleting from "../../../functions/comments/comments-delete.ts";
import * as updating from "../../../functions/comments/comments-update.ts";
import * as dataAdd from "../../../functions/comments/documents-data-add.ts";
import * as dataDelete from "../../../functions/comments/documents-data-delete.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import type { Handler } from "../../../lib/http/lambda.ts";
import type { Credentials } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { add, documentId, newDocument, person, reaction, reactions } from "../../support/feature-data.ts";
import { callSource, organizationId } from "../../support/workspace.ts";

const on = { organizationId, documentId };
const a = { id: "a" };
const comment = (commentId: string, more: object = {}) => ({ commentId, from: person("u"), ...more });
const tagged = Array.from({ length: 78 }, (_, index) => person(`p${index}`));

/** 80 participants, 200 comments and 250 KB. */
const largest = {
  assignedTo: person("v"),
  comments: Array.from({ length: 199 }, (_, index) =>
    comment(`${index}`, { text: "x".repeat(1_230), ...(index === 0 && { taggedUsers: tagged }) }),
  ),
};
const usual = { assignedTo: person("v"), comments: [comment("0", { text: "Shall we?" })] };

/** Trips, read units and write units of a call in a container that has cached the credentials. */
async function costOf(as: Credentials, handler: Handler, endpoint: Pick<Endpoint, "name">, data: object) {
  await callSource(handler, endpoint, { ...data, documentId: "no" }, as);
  expect(await callSource(handler, endpoint, { ...on, ...data }, as)).toBe(200);
  const { roundTrips, readUnits, writeUnits } = logs().findLast((line) => line.endpoint === endpoint.name) ?? {};
  return [roundTrips, readUnits, writeUnits];
}

async function withX(more: object): Promise<Credentials> {
  const as = await newDocument();
  await add(as, a, { comments: [{ annotationId: "x", from: person("u"), ...more }], reactions: [reaction("r")] });
  return as;
}

const x = { annotationId: "x" };
const cases: [string, Handler, Pick<Endpoint, "name">, object][] = [
  [
    "status",
    annotations.handler,
    annotations.commentannotationsUpdate,
    { annotationIds: ["x"], update: { status: "DONE" } },
  ],
  ["added comment", adding.handler, adding.commentsAdd, { ...x, comments: [comment("new")] }],
  ["changed comment", updating.handler, updating.commentsUpdate, { ...x, commentId: "0", text: "New" }],
  ["deleted comment", deleting.handler, deleting.commentsDelete, { ...x, commentIds: ["0"] }],
  ["deleted annotation", dataDelete.handler, dataDelete.documentsDataDelete, { kind: "comments", ids: ["x"] }],
];

it("the cost of changes of a usual annotation", async () => {
  const costs: Record<string, unknown> = {};
  for (const [name, handler, endpoint, data] of cases) {
    costs[name] = await costOf(await withX(usual), handler, endpoint, data);
  }
  const as = await withX(usual);
  const toNew = { location: { id: "b" }, reactions: [reaction("s")] };
  costs["reaction in a new location"] = await costOf(as, dataAdd.handler, dataAdd.documentsDataAdd, toNew);
  const toKnown = { location: { id: "b" }, reactions: [reaction("t")] };
  costs["further reaction"] = await costOf(as, dataAdd.handler, dataAdd.documentsDataAdd, toKnown);
  const one = { kind: "reactions", ids: ["r"] };
  costs["deleted reaction"] = await costOf(as, dataDelete.handler, dataDelete.documentsDataDelete, one);
  expect(costs).toEqual({
    status: [5, 6, 4],
    "added comment": [5, 6, 4],
    "changed comment": [5, 6, 4],
    "deleted comment": [5, 6, 4],
    "deleted annotation": [5, 6, 10],
    "reaction in a new location": [5, 7, 12],
    "further reaction": [4, 6, 8],
    "deleted reaction": [5, 6, 8],
  });
});

it("the cost of changes of the largest annotation, and of 1,000 items", async () => {
  const costs: Record<string, unknown> = {};
  for (const [name, handler, endpoint, data] of cases) {
    costs[name] = await costOf(await withX(largest), handler, endpoint, data);
  }
  const as = await newDocument();
  const many = { location: a, reactions: reactions(1_000) };
  costs["1,000 reactions"] = await costOf(as, dataAdd.handler, dataAdd.documentsDataAdd, many);
  const ids = reactions(1_000).map(({ reactionId }) => reactionId);
  costs["1,000 deleted ones"] = await costOf(as, dataDelete.handler, dataDelete.documentsDataDelete, {
    kind: "reactions",
    ids,
  });
  // DynamoDB takes a write unit for each KB, twice in a transaction, and a read unit for each 4 KB.
  expect(costs).toEqual({
    status: [5, 68, 506],
    "added comment": [5, 68, 506],
    "changed comment": [5, 68, 506],
    // It had 78 of the participants.
    "deleted comment": [5, 68, 662],
    "deleted annotation": [5, 68, 668],
    "1,000 reactions": [64, 1_007, 8_005],
    "1,000 deleted ones": [81, 2_013, 8_000],
  });
});
