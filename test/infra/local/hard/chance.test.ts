import { expect, test } from "vitest";
import { Chance } from "../../../../infra/local/hard/chance.ts";

const drawn = (seed: number, scope = "table") => {
  const chance = new Chance(seed);
  const kinds = ["GetItem", "PutItem", "GetItem", "GetItem"];
  return kinds.map((kind) => chance.next(scope, kind)("lost"));
};

test("the same seed and the same order of requests give the same decisions, in every table", () => {
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).toEqual(drawn(1, "other"));
  expect(drawn(2)).not.toEqual(drawn(1));
});

test("requests of another kind do not change a decision", () => {
  const alone = new Chance(7);
  const expected = [alone.next("t", "GetItem")("lost"), alone.next("t", "GetItem")("lost")];
  const mixed = new Chance(7);
  mixed.next("t", "Query");
  const first = mixed.next("t", "GetItem")("lost");
  mixed.next("t", "Query");
  expect([first, mixed.next("t", "GetItem")("lost")]).toEqual(expected);
});

test("numbers are spread evenly from 0 to below 1", () => {
  const chance = new Chance(3);
  const numbers = Array.from({ length: 4_000 }, () => chance.next("t", "GetItem")("lost"));
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  for (const share of [0.1, 0.5, 0.9]) {
    expect(numbers.filter((each) => each < share).length / numbers.length).toBeCloseTo(share, 1);
  }
});
