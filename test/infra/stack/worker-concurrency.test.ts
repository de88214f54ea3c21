import { expect, test } from "vitest";
import { consumersAmong, deployables } from "../../../infra/deployables.ts";
import { defaults } from "../../../infra/stack/settings.ts";
import { concurrencyOf } from "../../../infra/stack/worker-concurrency.ts";
import { slotCounts } from "../../../lib/store/waiting-slot.ts";
import { synth } from "../../support/synth.ts";

const workers = consumersAmong(deployables);
const most = workers.reduce((sum, { concurrencyMax }) => sum + concurrencyMax, 0);
const inTemplate = (settings = {}): number[] =>
  synth(deployables, settings)
    .all("AWS::Lambda::EventSourceMapping")
    .map(([, { ScalingConfig }]) => ScalingConfig.MaximumConcurrency);
const sum = (counts: Iterable<number>) => [...counts].reduce((total, each) => total + each, 0);

test("by default, all workers together take a fifth of the executions of an account, and leave calls the rest", () => {
  const counts = inTemplate();
  expect(counts).toHaveLength(workers.length);
  expect(defaults.workerConcurrency).toBe(1_000 / 5);
  expect(sum(counts)).toBeLessThanOrEqual(defaults.workerConcurrency);
});

test("by default, two workspaces at the limits of their slots leave workers of each kind to others", () => {
  const counts = concurrencyOf(workers, defaults.workerConcurrency);
  const { extraction, notify } = slotCounts;
  for (const [name, slots] of Object.entries({ ingest: extraction, draft: extraction, notify })) {
    expect([name, counts.get(name)]).toEqual([name, expect.toSatisfy((count: number) => count > 2 * slots)]);
  }
});

test("a worker that waits for a workspace's model or provider has one job, so no other job waits with it", () => {
  for (const { name, batchSize } of workers.filter((each) => ["draft", "ingest", "notify"].includes(each.name))) {
    expect([name, batchSize]).toEqual([name, 1]);
  }
});

test("the setting is the most that they take together, and those that wait for others get the larger part", () => {
  const total = Math.round(most / 2);
  expect(sum(inTemplate({ workerConcurrency: total }))).toBeLessThanOrEqual(total);
  const counts = concurrencyOf(workers, total);
  const waiting = ["draft", "drain", "message", "notify"].map((name) => counts.get(name) ?? 0);
  expect(sum(waiting)).toBeGreaterThan((total * 3) / 4);
  expect(counts.get("purge")).toBeLessThan(10);
});

test("with all that they can use, each worker has its own maximum", () => {
  const counts = concurrencyOf(workers, most);
  expect([...counts]).toEqual(workers.map(({ name, concurrencyMax }) => [name, concurrencyMax]));
});

test("a total that the workers cannot keep or cannot use is refused, with the limits", () => {
  const limits = `workerConcurrency must be ${2 * workers.length} to ${most}`;
  for (const total of [2 * workers.length - 1, most + 1])
    expect(() => inTemplate({ workerConcurrency: total })).toThrow(limits);
});

test("the default fits any number of workers", () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ ...workers[0], name: `w${index}` }) as (typeof workers)[0]);
  expect([...concurrencyOf(many, defaults.workerConcurrency).values()]).toEqual(many.map(() => 2));
  expect([...concurrencyOf(workers.slice(0, 1), defaults.workerConcurrency).values()]).toEqual([
    Math.min(defaults.workerConcurrency, workers[0]?.concurrencyMax ?? 0),
  ]);
});
