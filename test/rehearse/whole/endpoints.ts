// Takes each permission in turn from each role. Only `npm run rehearse` has the time for it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { endpoints, workers } from "../../../infra/deployables.ts";
import { Rehearsal } from "../rehearsal.ts";
import { removeEach, removeFromWorkers } from "../removals.ts";
import type { Removal } from "../report.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await Rehearsal.open();
});
afterAll(() => rehearsal.close());

const timeout = 3_600_000;

const survivors = (removals: readonly Removal[]) =>
  removals.filter(({ isDenied }) => !isDenied).map(({ name, permission }) => `${name} without ${permission}`);

it.for(endpoints)(
  "$name does not pass without any permission that it uses",
  { timeout },
  async (endpoint, { task }) => {
    const removals = await removeEach(rehearsal, endpoint);
    task.meta.removals = removals;
    expect(removals.length).toBeGreaterThan(0);
    expect(survivors(removals)).toEqual([]);
  },
);

it("no worker passes without any permission that it uses", { timeout }, async ({ task }) => {
  const removals = await removeFromWorkers(rehearsal);
  task.meta.removals = removals;
  expect(new Set(removals.map(({ name }) => name)).size).toBe(workers.length);
  expect(survivors(removals)).toEqual([]);
});
