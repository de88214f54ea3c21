// Takes each permission from each role. Only `npm run rehearse` and the long trial have the time for it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { workers } from "../../infra/deployables.ts";
import { removeFromEndpoint } from "./endpoint-removals.ts";
import { Rehearsal, rehearsed } from "./rehearsal.ts";
import { survivors } from "./removals.ts";
import { removeFromWorkers } from "./worker-removals.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await Rehearsal.open();
});
afterAll(() => rehearsal.close());

const timeout = 3_600_000;

it.for(rehearsed)(
  "$name does not pass without any permission that it uses",
  { timeout },
  async (endpoint, { task }) => {
    const removals = await removeFromEndpoint(rehearsal, endpoint);
    task.meta.removals = removals;
    expect(removals.length).toBeGreaterThan(0);
    expect(survivors(removals)).toEqual([]);
  },
);

it("no worker passes without any permission that it uses", { timeout }, async ({ task, annotate }) => {
  const removals = await removeFromWorkers(rehearsal, annotate);
  task.meta.removals = removals;
  expect(new Set(removals.map(({ name }) => name)).size).toBe(workers.length);
  expect(survivors(removals)).toEqual([]);
});
