import { describe, expect, it } from "vitest";
import { allShards, keyName, segment, shardCount, shardOf } from "../../../lib/dynamodb/key.ts";
import { anyId } from "../../support/any-id.ts";
import fc from "../../support/property.ts";

describe("segment", () => {
  it("gives different ids different segments, none with a separator", () => {
    fc.assert(
      fc.property(anyId, anyId, (one, other) => {
        expect(segment(one) === segment(other)).toBe(one === other);
        expect(segment(one)).not.toContain("#");
      }),
      { numRuns: 500 },
    );
  });

  it("hashes a long id to a segment that no other id has", () => {
    const long = "🦜".repeat(256);
    expect(segment(segment(long))).not.toBe(segment(long));
    expect(segment(`${long.slice(2)}x`)).not.toBe(segment(long));
  });
});

describe("shardOf", () => {
  const shards = Array.from({ length: 1_600 }, (_, index) => shardOf(`id ${index}`));

  it("gives an id the same shard at every call", () => {
    expect(shardOf("id 7")).toBe(shards[7]);
  });

  it("spreads ids evenly over all shards", () => {
    const counts = Map.groupBy(shards, (shard) => shard);
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(allShards);
    expect(allShards).toHaveLength(shardCount);
    expect(Math.max(...[...counts.values()].map((each) => each.length))).toBeLessThan(200);
  });
});

describe("keyName", () => {
  it("gives different keys different names", () => {
    const part = fc.string({ unit: fc.constantFrom("1", "2", " ", "#"), maxLength: 4 });
    fc.assert(
      fc.property(part, part, part, part, (pk, sk, otherPk, otherSk) => {
        const isSame = pk === otherPk && sk === otherSk;
        expect(keyName({ pk, sk }) === keyName({ pk: otherPk, sk: otherSk })).toBe(isSame);
      }),
      { numRuns: 1_000 },
    );
  });
});
