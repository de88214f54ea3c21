// The cost of a page of feature data, over tables in memory.
import { expect, it } from "vitest";
import { documentsDataGet, handler } from "../../../functions/comments/documents-data-get.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as LocationChanges from "../../../lib/store/content/location-changes.ts";
import * as Feature from "../../../lib/store/features/feature.ts";
import { type LocationUid, newDocumentUid, newLocationUid } from "../../../lib/store/refs.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { reaction } from "../../support/feature-data.ts";

const ref = { organizationId: "o", documentId: "d" };
const at = "2026-01-01T00:00:00.000Z";

/** A document with a location, in a new table. `add` adds reactions; the last `shown` ones have an item. */
async function newDocument() {
  newTableInMemory();
  const as = await newWorkspace();
  const organization = { workspace: as.apiKey, organizationId: ref.organizationId };
  const documentUid = newDocumentUid();
  await createMissing(organization, [organization]);
  await commit(Document.creation(organization, { ...ref, documentUid, ancestors: [], createdAt: at }, undefined));
  const document = { ...organization, documentUid };
  const { locationUid, writes } = LocationChanges.creation(document, "id:a", { id: "a" });
  await commit(writes);
  const add = async (total: number, shown: number, location: LocationUid = locationUid) => {
    const puts = Array.from({ length: total }, (_, index): { put: Item }[] => {
      const id = String(index).padStart(6, "0");
      const name = { ...document, locationUid: location, kind: "reactions" as const, id };
      const given = { record: JSON.stringify(reaction(id)), participants: ["u"], at };
      const items = Feature.creation(name, given).writes.flatMap((write) => ("put" in write ? [write.put] : []));
      return items.filter(({ entity }) => entity === "feature-entry" || index >= total - shown).map((put) => ({ put }));
    });
    await putAll(puts.flat());
  };
  return { as, add };
}

async function get(as: Credentials, data: object) {
  const endpoint = documentsDataGet as unknown as Endpoint;
  const event = eventOf(endpoint, { as, data: { ...ref, kind: "reactions", ...data } });
  const reply = await handler(event as never, contextOf(endpoint.name) as never);
  expect(reply.statusCode).toBe(200);
  const { readUnits, roundTrips } = logs().findLast((line) => line.endpoint === endpoint.name) ?? {};
  const { items, nextPageToken } = JSON.parse(reply.body).result.data;
  return { items, nextPageToken, cost: { readUnits, roundTrips } };
}

it("is the same for a page of a list of 100 items and of 100,000", async () => {
  const costs: object[] = [];
  for (const total of [100, 100_000]) {
    const { as, add } = await newDocument();
    await add(total, 60);
    const { items, cost } = await get(as, {});
    expect(items).toHaveLength(50);
    costs.push(cost);
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]).toEqual({ roundTrips: 6, readUnits: 61 });
});

it.each([
  ["a filter that matches nothing", { filters: { from: "nobody" } }, newLocationUid()],
  ["a location without items", { location: { id: "none" } }, newLocationUid()],
  ["a deleted location", {}, newLocationUid()],
])("of a page is that of at most 1,000 entries with %s", async (_, more, deleted) => {
  const { as, add } = await newDocument();
  await add(2_500, 0, deleted);
  let pageToken: string | null = null;
  for (const isLast of [false, false, true]) {
    const page = await get(as, { ...more, pageToken });
    expect(page.items).toEqual([]);
    expect(page.nextPageToken === null).toBe(isLast);
    expect(page.cost.readUnits).toBeLessThan(100);
    pageToken = page.nextPageToken;
  }
});
