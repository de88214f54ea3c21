import { expect, it } from "vitest";
import { endpoints } from "../../../infra/deployables.ts";
import { endpointsIn, lives } from "../../../infra/readme/lives.ts";

const added = new Set(lives.flatMap(({ add }) => endpointsIn(add)).map(({ name }) => name));

it("every endpoint that adds something is in a row of the table of lives", () => {
  const adding = endpoints.filter(({ path, isWrite }) => isWrite && /\/(add|create|set|migrate|extract)$/.test(path));
  expect(adding.length).toBeGreaterThan(10);
  const missing = adding.map(({ name }) => name).filter((name) => !added.has(name));
  expect(missing, "add a row to infra/readme/lives.ts").toEqual([]);
});

it("every cell of a row names a call or says why there is none", () => {
  for (const { what, ...cells } of lives) {
    for (const cell of Object.values(cells)) expect(cell.length, what).toBeGreaterThan(0);
  }
});

it("every endpoint that deletes or removes something is in a row", () => {
  const ending = new Set(lives.flatMap((each) => endpointsIn(each.delete)).map(({ name }) => name));
  const missing = endpoints.filter(({ refusesUnknownFields, name }) => refusesUnknownFields && !ending.has(name));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
