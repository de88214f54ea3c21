// The cost of an erasure in an organization with 10,000 comments, over tables in memory.
import { expect, it, vi } from "vitest";
import { createMissing } from "../../../lib/content/existing.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as LocationChanges from "../../../lib/store/content/location-changes.ts";
import * as Feature from "../../../lib/store/features/feature.ts";
import { newDocumentUid } from "../../../lib/store/refs.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { type AwsCommand, atAwsEdge } from "../../support/aws/edge.ts";
import { logs } from "../../support/capture-logs.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";

fakeDates();

const at = "2026-01-01T00:00:00.000Z";
const comments = 10_000;

/** A workspace whose only organization has a document with 10,000 comment annotations of 1 KB, in a new table. */
async function withComments(): Promise<string> {
  newTableInMemory();
  const { apiKey: workspace } = await Workspace.create({ name: "large" });
  const organization = { workspace, organizationId: "o" };
  const documentUid = newDocumentUid();
  await createMissing(organization, [organization]);
  const created = { documentId: "d", documentUid, ancestors: [], createdAt: at };
  await commit(Document.creation(organization, created, undefined));
  const document = { ...organization, documentUid };
  const { locationUid, writes } = LocationChanges.creation(document, "id:a", { id: "a" });
  await commit(writes);
  const puts = Array.from({ length: comments }, (_, index): { put: Item }[] => {
    const id = String(index).padStart(6, "0");
    const record = { annotationId: id, from: { userId: "author" }, comments: [{ text: "x".repeat(800) }] };
    const given = { record: JSON.stringify(record), participants: ["author"], at };
    const created = Feature.creation({ ...document, locationUid, kind: "comments", id }, given);
    return created.writes.flatMap((write) => ("put" in write ? [{ put: write.put }] : []));
  });
  await putAll(puts.flat());
  return workspace;
}

/** Erases the users. Returns the cost of all runs, and how often each annotation and organization was read. */
async function erasure(workspace: string, userIds: string[]) {
  const jobId = await beginErasure(workspace, { userIds });
  const reads = new Map<string, number>();
  const before = logs().length;
  atAwsEdge(async ({ constructor: { name } }: AwsCommand, call) => {
    const output = (await call()) as { Items?: Item[] };
    const items = name === "QueryCommand" ? (output.Items ?? []) : [];
    for (const { entity, pk, sk } of items) {
      const key = `${pk} ${sk}`;
      if (entity === "feature" || entity === "organization-entry") reads.set(key, (reads.get(key) ?? 0) + 1);
    }
    return output;
  });
  const runs = await erased(jobId);
  vi.restoreAllMocks();
  const lines = logs()
    .slice(before)
    .filter(({ worker }) => worker === "purge");
  const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name]), 0);
  const cost = { readUnits: sum("readUnits"), writeUnits: sum("writeUnits"), roundTrips: sum("roundTrips") };
  return { runs, reads, cost };
}

it("reads each comment twice, once a pass, and each organization once more before them, for one user and for 100", async () => {
  const workspace = await withComments();
  for (const [users, cost] of [
    [1, { readUnits: 6_627, writeUnits: 33, roundTrips: 335 }],
    [100, { readUnits: 9_534, writeUnits: 845, roundTrips: 3_212 }],
  ] as const) {
    const userIds = Array.from({ length: users }, (_, index) => `u${index}`);
    const { runs, reads, cost: actual } = await erasure(workspace, userIds);
    // The first run reads no comment.
    expect(runs).toBe(3);
    const times = Map.groupBy(reads.values(), (count) => count);
    expect([...times].map(([count, { length }]) => [count, length]).toSorted()).toEqual([
      [2, comments],
      [3, 1],
    ]);
    // No comment is written: the writes are those of the job, its receipt and its users.
    expect(actual).toEqual(cost);
  }
});
