// The cost of an activity log for growing amounts of data, over tables in memory.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activitiesGet, handler } from "../../../functions/collaboration/activities-get.ts";
import { appendActivities } from "../../../lib/activity/append.ts";
import { appendJob } from "../../../lib/activity/append-job.ts";
import { contentOf, firstHash, salted } from "../../../lib/activity/chain.ts";
import { inCall, newCallRecord } from "../../../lib/call.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import * as Activity from "../../../lib/store/activity.ts";
import * as Organization from "../../../lib/store/organization.ts";
import type { OrganizationRef } from "../../../lib/store/refs.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { addEvents, newOwnLog } from "../../support/own-log.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => void vi.useRealTimers());

const names = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);

/** Adds events in one call, and returns the cost of the writer. */
async function append(organization: OrganizationRef, count: number) {
  vi.setSystemTime(Date.now() + 1_000);
  await addEvents(organization, names(count));
  vi.setSystemTime(Date.now() + 16_000);
  const run = newCallRecord("writer", new AbortController().signal);
  expect(await inCall(run, () => appendActivities(appendJob(organization), Date.now() + 60_000))).toBe("done");
  return run.cost;
}

it("of appending is the same for a log of one activity and of 5,000", async () => {
  newTableInMemory();
  const organization = await newOwnLog();
  await append(organization, 1);
  const first = await append(organization, 300);
  for (let done = 0; done < 5_000; done += 1_000) await append(organization, 1_000);
  const last = await append(organization, 300);
  expect(last).toEqual(first);
  // Each activity takes two write units for its record and one for each of its three entries in lists.
  expect(first.writeUnits / 300).toBeLessThan(5.5);
  expect(first.roundTrips / 300).toBeLessThan(0.3);
});

it("of appending one activity: its entries, the log, the record, the lists and the head", async () => {
  newTableInMemory();
  const organization = await newOwnLog();
  await append(organization, 1);
  expect(await append(organization, 1)).toEqual({ roundTrips: 20, readUnits: 19, writeUnits: 11, kmsCalls: 0 });
});

/** A log of `count` activities of 100 documents, ten users and one type. */
async function newLogOf(count: number) {
  newTableInMemory();
  const as = await newWorkspace();
  const organization = { workspace: as.apiKey, organizationId: "acme" };
  await Organization.createMissing(organization, [organization]);
  const puts = Array.from({ length: count }, (_, index) => {
    const [sequence, actor] = [index + 1_000_001, `u${index % 10}`];
    const createdAt = new Date(start + index * 1_000).toISOString();
    const texts = { actionUser: salted(JSON.stringify({ userId: actor })), changes: salted('{"documentId":"d"}') };
    const place = {
      chain: "chain-12",
      sequence,
      activityId: Activity.idOf("chain-12", sequence),
      organizationId: "acme",
    };
    const record = { ...place, documentId: `d${index % 100}`, eventType: "e", createdAt, content: contentOf(texts) };
    const stored = Activity.recording(organization, { record, hash: firstHash("x"), texts: JSON.stringify(texts) });
    return [...("put" in stored ? [{ put: stored.put }] : []), ...Activity.listing(organization, record, actor, false)];
  });
  await putAll(puts.flat());
  return as;
}

async function costOfPage(as: Credentials, filter: object) {
  const endpoint = activitiesGet as unknown as Endpoint;
  const event = eventOf(endpoint, { as, data: { organizationId: "acme", ...filter } });
  expect((await handler(event as never, contextOf(endpoint.name) as never)).statusCode).toBe(200);
  const { readUnits, roundTrips } = logs().findLast((line) => line.endpoint === endpoint.name) ?? {};
  return { readUnits: readUnits as number, roundTrips: roundTrips as number };
}

const filters = {
  all: {},
  "a document": { documentIds: ["d7"] },
  "a user": { userIds: ["u7"] },
  "a type": { eventTypes: ["e"] },
  "a document and a type": { documentIds: ["d7"], eventTypes: ["e"] },
  "a document and its user": { documentIds: ["d7"], userIds: ["u7"] },
};

it("of a page is the same for a log of 5,000 and of 50,000, and bounded for filters with nothing in common", async () => {
  const costs: object[] = [];
  for (const count of [5_000, 50_000]) {
    const as = await newLogOf(count);
    const each: Record<string, object> = {};
    for (const [name, filter] of Object.entries(filters)) each[name] = await costOfPage(as, filter);
    costs.push(each);
    const { readUnits, roundTrips } = await costOfPage(as, { userIds: ["u7"], documentIds: ["d8", "d18", "d28"] });
    // A page examines 1,000 entries, and loads these records.
    expect(readUnits).toBeLessThan(1_200);
    expect(roundTrips).toBeLessThan(110);
  }
  expect(costs[1]).toEqual(costs[0]);
});
