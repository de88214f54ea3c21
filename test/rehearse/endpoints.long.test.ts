// Takes each permission from the role of each endpoint. Only `npm run rehearse` has the time for it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { endpoints } from "../../infra/deployables.ts";
import { removeFromEndpoint } from "./endpoint-removals.ts";
import { Rehearsal } from "./rehearsal.ts";
import { survivors } from "./removals.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await Rehearsal.open();
});
afterAll(() => rehearsal.close());

const timeout = 3_600_000;

it.for(endpoints)(
  "$name does not pass without any permission that it uses",
  { timeout },
  async (endpoint, { task }) => {
    const removals = await removeFromEndpoint(rehearsal, endpoint);
    task.meta.removals = removals;
    expect(removals.length).toBeGreaterThan(0);
    expect(survivors(removals)).toEqual([]);
  },
);
