// Takes each permission from the role of each worker. Only `npm run rehearse` has the time for it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { workers } from "../../infra/deployables.ts";
import { Rehearsal } from "./rehearsal.ts";
import { survivors } from "./removals.ts";
import { removeFromWorkers } from "./worker-removals.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await Rehearsal.open();
});
afterAll(() => rehearsal.close());

const timeout = 3_600_000;

it("no worker passes without any permission that it uses", { timeout }, async ({ task, annotate }) => {
  const removals = await removeFromWorkers(rehearsal, annotate);
  task.meta.removals = removals;
  expect(new Set(removals.map(({ name }) => name)).size).toBe(workers.length);
  expect(survivors(removals)).toEqual([]);
});
