import { beforeEach, describe, expect, it } from "vitest";
import { costOf, inCall, newCall } from "../../../lib/call.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { queryWanted } from "../../../lib/dynamodb/wanted.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";

beforeEach(newTableInMemory);

const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(4, "0")}`);

/** Stores items of 150 bytes with these sort keys. */
const store = (sortKeys: readonly string[]) =>
  putAll(sortKeys.map((sk) => ({ put: { pk: "p", sk, text: "x".repeat(135) } })));

/** Reads the items. Returns what was found, what is left, and the cost. */
async function read(wanted: readonly string[]) {
  const call = newCall("call", AbortSignal.timeout(60_000));
  const { items, rest } = await inCall(call, () => queryWanted({ pk: "p" }, wanted));
  const { roundTrips, readUnits } = costOf(call);
  return { found: items.map(({ sk }) => sk), rest, roundTrips, readUnits };
}

describe("queryWanted", () => {
  it("reads all wanted items with one query where most items are wanted", async () => {
    const all = numbered(100, "k");
    await store(all);
    const wanted = [...all.slice(10, 90), "missing"];
    expect(await read(wanted)).toEqual({ found: all.slice(10, 90), rest: [], roundTrips: 1, readUnits: 4 });
  });

  it("ends after one page of a long list without a wanted item", async () => {
    await store(numbered(500, "k"));
    const wanted = numbered(30, "z");
    expect(await read(wanted)).toEqual({ found: [], rest: wanted, roundTrips: 1, readUnits: 3 });
  });

  it("ends where the list becomes too long, and leaves exactly the items behind that", async () => {
    const wanted = [...numbered(50, "a"), ...numbered(50, "z")];
    await store([...wanted, ...numbered(1_000, "k")]);
    const { found, rest, roundTrips } = await read(wanted);
    expect(found).toEqual(numbered(50, "a"));
    expect(rest).toEqual(numbered(50, "z"));
    expect(roundTrips).toBe(2);
  });

  it("compares sort keys as DynamoDB does, by their bytes", async () => {
    // As UTF-16, the parrot comes before the other character.
    const parrot = "🦜";
    const wanted = numbered(30, parrot);
    await store(numbered(200, "\uff5e"));
    await store(wanted);
    const { found, rest } = await read(wanted);
    expect([...found, ...rest].sort()).toEqual(wanted);
    expect(rest).not.toEqual([]);
  });

  it("reads nothing for nothing", async () => {
    expect(await read([])).toEqual({ found: [], rest: [], roundTrips: 0, readUnits: 0 });
  });
});
