// What the largest legal call of each endpoint costs. The table is in worst-calls.txt. A call above the limits needs a
// reason here.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sourceOf } from "../../infra/deployables.ts";
import type { LocalSes } from "../../infra/local/ses.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { contextOf, eventOf } from "../support/call.ts";
import { logs } from "../support/capture-logs.ts";
import { furnishedWorkspace, prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { largestOf } from "../support/contract/largest-request.ts";
import { dataOf, posts } from "../support/contract/requests.ts";
import { type Scene, scenes } from "../support/contract/worst-scenes.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { sesForFile } from "../support/senders.ts";
import { startVendorServer, type VendorServer } from "../support/vendor.ts";

const tripsMax = 300;
const readUnitsMax = 10_000;
const heapMbMax = 256;

const questions = "a call may ask 10,000 questions, and where few are about one document, each has a key to read";
const lists = "each folder has a list of its own, and 320 queries are faster than 320,000 keys";

/** Why a call may cost more. */
const reasons: Record<string, string> = {
  "permissions-get": questions,
  "permissions-get, 1,000 users, deep folders": lists,
};

let vendor: VendorServer;
let ses: LocalSes;
const rows: string[] = [];
/** The scene without a name replaces the largest request, where fields limit one another. */
const cases = posts.flatMap((endpoint): [string, Endpoint, Scene | undefined][] => {
  const { "": base, ...further } = scenes[endpoint.name] ?? {};
  const named = Object.entries(further).map(([about, scene]): [string, Endpoint, Scene] => [
    `${endpoint.name}, ${about}`,
    endpoint,
    scene,
  ]);
  return [[endpoint.name, endpoint, base], ...named];
});

beforeAll(async () => {
  // Some costs depend on how many hours, days or months the data of a call lies in.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 5, 15, 12, 30) });
  vendor = await startVendorServer();
  ses = await sesForFile();
  vendor.behave(JSON.stringify({ answer: "Yes.", citations: [] }));
  await prepareFurniture();
  vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
});
afterAll(async () => {
  vendor.close();
  await ses.close();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

it.each(cases)("%s", async (name, endpoint, scene) => {
  newTableInMemory();
  const as = await furnishedWorkspace(endpoint);
  const data = scene ? await scene(as, vendor.baseUrl("openai")) : largestOf(endpoint.data, dataOf(endpoint));
  const { handler } = (await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`)) as { handler: Handler };
  const event = eventOf(endpoint, { as, data });
  const heap = process.memoryUsage().heapUsed;
  const { statusCode, body } = await handler(event as never, contextOf(endpoint.name, 28_000) as never);
  const heapMb = (process.memoryUsage().heapUsed - heap) / 1_048_576;
  expect(heapMb).toBeLessThan(heapMbMax);
  const { roundTrips, readUnits, writeUnits } = logs().findLast((line) => line.message === "call") as Record<
    string,
    number
  >;
  const reason = reasons[name];
  if (!reason) {
    expect(roundTrips, "round trips").toBeLessThanOrEqual(tripsMax);
    expect(readUnits, "read units").toBeLessThanOrEqual(readUnitsMax);
  }
  expect(statusCode, body.slice(0, 500)).toBe(200);
  const columns = [name.padEnd(58), ...[roundTrips, readUnits, writeUnits].map((each) => String(each).padStart(7))];
  rows.push(`${columns.join(" ")}${reason ? `  ${reason}` : ""}`);
});

it("the costs are those in worst-calls.txt; after a wanted change, run `npm run update`", async () => {
  const head = `${"largest call".padEnd(58)} ${["  trips", "  reads", " writes"].join(" ")}`;
  await expect(`${[head, ...rows].join("\n")}\n`).toMatchFileSnapshot("worst-calls.txt");
});
