// The exact cost of an activity log, small and large, over tables in memory.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activitiesGet, handler } from "../../../functions/activity-log/activities-get.ts";
import { appendActivities } from "../../../lib/activity/append.ts";
import { appendJob } from "../../../lib/activity/append-job.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Activity from "../../../lib/store/activity/activity.ts";
import { contentOf, firstHash, salted } from "../../../lib/store/activity/activity-chain.ts";
import * as ActivityList from "../../../lib/store/activity/activity-list.ts";
import type { OrganizationRef } from "../../../lib/store/refs.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { addEvents } from "../../support/own-log.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => void vi.useRealTimers());

const names = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);

/** Adds events in one call, and returns the cost of the writer. */
async function append(organization: OrganizationRef, count: number) {
  vi.setSystemTime(Date.now() + 1_000);
  await addEvents(organization, names(count));
  vi.setSystemTime(Date.now() + 16_000);
  const run = newCall("writer");
  expect(await inCall(run, () => appendActivities(appendJob(organization), Date.now() + 60_000))).toBe("done");
  return run.cost;
}

/** A log of `count` activities, whose head is that of its last record: of ten documents, five users and one type. */
async function newLogOf(count: number) {
  newTableInMemory();
  const as = await newWorkspace();
  const organization = { workspace: as.apiKey, organizationId: "acme" };
  await createMissing(organization, [organization]);
  const chain = "chain-12";
  const hash = firstHash(chain);
  const puts = Array.from({ length: count }, (_, index) => {
    const [sequence, actor] = [index + 1, `u${index % 5}`];
    const createdAt = new Date(start + index * 1_000).toISOString();
    const texts = { actionUser: salted(JSON.stringify({ userId: actor })), changes: salted('{"documentId":"d"}') };
    const place = { chain, sequence, activityId: Activity.idOf(chain, sequence), organizationId: "acme" };
    const record = { ...place, documentId: `d${index % 10}`, eventType: "e", createdAt, content: contentOf(texts) };
    const stored = Activity.recording(organization, { record, hash, texts: JSON.stringify(texts) });
    return [
      ...("put" in stored ? [{ put: stored.put }] : []),
      ...ActivityList.listing(organization, record, actor, false),
    ];
  });
  await putAll(puts.flat());
  const head = { chain, sequence: count, hash, listed: count, setting: 0 };
  await commit([Activity.moving(organization, undefined, head)]);
  vi.setSystemTime(start + count * 1_000);
  return { as, organization };
}

/** Each list that a page of the second test reads has more than 50 entries in both. */
const sizes = [600, 3_000];

it("of appending one activity: its entries, the log, the record, the lists and the head", async () => {
  for (const size of sizes) {
    const { organization } = await newLogOf(size);
    expect(await append(organization, 1)).toEqual({ roundTrips: 20, readUnits: 19, writeUnits: 11, kmsCalls: 0 });
    expect(await append(organization, 300)).toEqual({ roundTrips: 61, readUnits: 24, writeUnits: 1_588, kmsCalls: 0 });
  }
});

async function pageOf(as: Credentials, filter: object) {
  const endpoint = activitiesGet as unknown as Endpoint;
  const event = eventOf(endpoint, { as, data: { organizationId: "acme", ...filter } });
  const reply = await handler(event as never, contextOf(endpoint.name) as never);
  const { roundTrips, readUnits } = logs().findLast((line) => line.endpoint === endpoint.name) ?? {};
  return { activities: JSON.parse(reply.body).result.data.activities.length, roundTrips, readUnits };
}

/** In this order: the first call reads the settings of the workspace, which the others find kept. */
const filters = {
  all: {},
  "a document": { documentIds: ["d7"] },
  "a user": { userIds: ["u2"] },
  "a type": { eventTypes: ["e"] },
  "a time": { after: start + 400_000, before: start + 500_000, order: "oldest" },
  "a document and a type": { documentIds: ["d7"], eventTypes: ["e"] },
  "a document and its user": { documentIds: ["d7"], userIds: ["u2"] },
  "ten documents": { documentIds: names(10) },
};

it("of a page of 50 by each filter", async () => {
  for (const size of sizes) {
    const { as } = await newLogOf(size);
    const pages: Record<string, object> = {};
    for (const [name, filter] of Object.entries(filters)) pages[name] = await pageOf(as, filter);
    expect(pages).toEqual({
      all: { activities: 50, roundTrips: 5, readUnits: 78 },
      "a document": { activities: 50, roundTrips: 4, readUnits: 58 },
      "a user": { activities: 50, roundTrips: 4, readUnits: 60 },
      "a type": { activities: 50, roundTrips: 4, readUnits: 76 },
      "a time": { activities: 50, roundTrips: 4, readUnits: 76 },
      "a document and a type": { activities: 50, roundTrips: 5, readUnits: 60 },
      "a document and its user": { activities: 50, roundTrips: 5, readUnits: 60 },
      "ten documents": { activities: 50, roundTrips: 13, readUnits: 84 },
    });
  }
});

it("of a page is bounded for filters with nothing in common: 1,000 entries, and their records", async () => {
  const { as } = await newLogOf(6_000);
  expect(await pageOf(as, { userIds: ["u2"], documentIds: ["d1", "d3", "d6"] })).toEqual({
    activities: 0,
    roundTrips: 7,
    readUnits: 41,
  });
});
