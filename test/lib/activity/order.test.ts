// The order of a log under clocks that differ, with calls that overlap and writers that overlap.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { appendActivities } from "../../../lib/activity/append.ts";
import { appendJob } from "../../../lib/activity/append-job.ts";
import type { Call } from "../../../lib/call.ts";
import type { OrganizationRef } from "../../../lib/store/refs.ts";
import { verified } from "../../support/activity-log.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { addEvents, addOwn, expectListed, loggedCall, newOwnLog } from "../../support/own-log.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }));
afterEach(() => void vi.useRealTimers());

/** Choices that depend only on the seed. */
function randomOf(seed: number) {
  let state = seed;
  /** A whole number from 0 to below `limit`. */
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, chance: (probability: number) => below(1_000) < probability * 1_000 };
}
type Random = ReturnType<typeof randomOf>;

interface Simulated {
  record: Call;
  /** How far the clock of its container is ahead, ms. */
  skew: number;
  arrivedAt: number;
  answeredAt: number;
  /** When its transactions are written, in true time. */
  commits: number[];
  names: string[];
}

/** Calls in true time: most begin about when another one is answered. */
function simulate(random: Random, count: number): Simulated[] {
  const calls: Simulated[] = [];
  let now = start + 1_000;
  for (let index = 0; index < count; index++) {
    const arrivedAt = now + random.below(5);
    const commits = Array.from({ length: 1 + random.below(3) }, () => arrivedAt + random.below(40)).sort(
      (one, other) => one - other,
    );
    const skew = random.below(21) - 10;
    calls.push({ record: loggedCall(), skew, arrivedAt, commits, answeredAt: 0, names: [] });
    // The reply waits until 21 ms after the last stamp, by the clock of the container.
    now = random.chance(0.6) ? Math.max(...commits) + 21 + random.below(3) : now + random.below(30);
    if (random.chance(0.05)) now += 16_000;
  }
  return calls;
}

async function play(organization: OrganizationRef, calls: readonly Simulated[], random: Random): Promise<void> {
  const steps = calls
    .flatMap((call) => call.commits.map((at) => ({ call, at })))
    .sort((one, other) => one.at - other.at);
  const job = appendJob(organization);
  const write = () => appendActivities(job, Date.now() + 30_000);
  for (const [index, { call, at }] of steps.entries()) {
    vi.setSystemTime(at + call.skew);
    const ids = Array.from({ length: 1 + random.below(3) }, (_, each) => `${index}-${each}`);
    await (random.chance(0.3) ? addOwn : addEvents)(organization, ids, call.record as ReturnType<typeof loggedCall>);
    call.names.push(...ids);
    call.answeredAt = Math.max(at, (call.record.replyFrom ?? 0) - call.skew);
    if (random.chance(0.2)) await Promise.all(random.chance(0.5) ? [write(), write()] : [write()]);
  }
  vi.setSystemTime(Date.now() + 60_000);
  await Promise.all([write(), write()]);
}

it.each([1, 2, 3, 4, 5, 6])(
  "has each event once, and those of a call before those of calls that arrive after its answer: seed %i",
  async (seed) => {
    newTableInMemory();
    const random = randomOf(seed);
    const organization = await newOwnLog();
    const calls = simulate(random, 60);
    await play(organization, calls, random);
    const records = await verified({ apiKey: organization.workspace, authToken: "" });
    const places = new Map(records.map(({ documentId, sequence }) => [documentId, sequence]));
    expect([...places.keys()].sort()).toEqual(calls.flatMap(({ names }) => names).sort());
    expect(records).toHaveLength(places.size);
    const placesOf = ({ names }: Simulated) => names.map((name) => places.get(name) as number);
    let pairs = 0;
    for (const one of calls) {
      // Changes of one call have its order.
      expect(placesOf(one)).toEqual(placesOf(one).toSorted((a, b) => a - b));
      for (const other of calls) {
        if (one.answeredAt > other.arrivedAt) continue;
        pairs++;
        expect(Math.max(...placesOf(one))).toBeLessThan(Math.min(...placesOf(other)));
      }
    }
    expect(pairs).toBeGreaterThan(500);
    await expectListed(organization, [...places.keys()] as string[]);
  },
);
