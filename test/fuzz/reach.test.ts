// Requests made from the schemas of all endpoints, to the service in this process: it takes so many in a second that each
// endpoint is reached past the checks of its fields. Nothing fails with INTERNAL.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { named } from "../../infra/deployables.ts";
import { skipBackoff } from "../support/aws/mock-dynamo.ts";
import { longSeed } from "../support/long.ts";
import { Random } from "../support/random.ts";
import { later, newService } from "../support/service-in-memory.ts";
import { remember, type Seen } from "./seen.ts";
import { dataFor, mutated, weightOf } from "./wild.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());
skipBackoff();

const rounds = Number(process.env.REACH_ROUNDS ?? (longSeed ? 80 : 28));
/** An extraction waits for a worker. */
const declared = named.filter(
  ({ method, callsOut, name }) => method === "POST" && !callsOut && name !== "agents-extract",
);

/** Outcomes of the contract with this status: domains exist already. */
const mayBeInternal = ["domains-add"];

it("random requests reach each endpoint, and none is INTERNAL", async () => {
  const seed = process.env.REACH_SEED ?? longSeed ?? "2";
  const random = new Random(seed);
  const service = await newService(() => 0);
  const seenIds: Seen[] = [];
  const counts = new Map<string, Record<string, number>>(declared.map(({ name }) => [name, {}]));
  for (let round = 0; round < rounds; round++) {
    for (const endpoint of declared) {
      if (!random.chance(Math.max(0.1, weightOf(endpoint)))) continue;
      const data = dataFor(endpoint, random, { seenIds, receiver: "http://127.0.0.1:1/" });
      const sent = random.chance(0.3) ? mutated(data, random) : data;
      later(1);
      const reply = await service.call(endpoint, { organizationId: undefined, ...sent });
      const status = typeof reply === "string" && /^[A-Z_]+$/.test(reply) ? reply : "OK";
      const about = `REACH_SEED=${seed} ${endpoint.name} ${JSON.stringify(sent).slice(0, 2_000)}`;
      if (!mayBeInternal.includes(endpoint.name)) expect(status, about).not.toBe("INTERNAL");
      const count = counts.get(endpoint.name) as Record<string, number>;
      count[status] = (count[status] ?? 0) + 1;
      remember(seenIds, reply);
    }
    if (random.chance(0.5)) await service.work((kind) => kind !== "drain");
  }
  const lines = [...counts].map(([name, count]) => `${name} ${JSON.stringify(count)}`);
  if (process.env.REACH_ROUNDS) console.log(lines.join("\n"));
  const isTaken = (name: string) => Object.keys(counts.get(name) ?? {}).some((status) => status !== "INVALID_ARGUMENT");
  const usual = declared.filter((each) => weightOf(each) === 1).map(({ name }) => name);
  expect(
    usual.filter((name) => !isTaken(name)),
    `REACH_SEED=${seed}`,
  ).toEqual([]);
});
