import { describe, expect, it } from "vitest";
import { Lru } from "../../lib/lru.ts";

/** The keys that have an entry. To read an entry is to use it, so a test calls this last. */
const keysOf = <V>(lru: Lru<string, V>, ...keys: string[]) => keys.filter((key) => lru.get(key) !== undefined);

function filled(max: number, ...keys: string[]): Lru<string, number> {
  const lru = new Lru<string, number>(max);
  for (const [index, key] of keys.entries()) lru.set(key, index);
  return lru;
}

describe("a limit of entries", () => {
  it("evicts the least recently used entry", () => {
    expect(keysOf(filled(2, "a", "b", "c"), "a", "b", "c")).toEqual(["b", "c"]);
  });

  it("counts a read as a use", () => {
    const lru = filled(2, "a", "b");
    lru.get("a");
    lru.set("c", 2);
    expect(keysOf(lru, "a", "b", "c")).toEqual(["a", "c"]);
  });

  it("counts a replacement as a use, and not as a further entry", () => {
    const lru = filled(2, "a", "b");
    lru.set("a", 9);
    expect(lru.get("a")).toBe(9);
    lru.set("c", 2);
    expect(keysOf(lru, "a", "b", "c")).toEqual(["a", "c"]);
  });

  it("has room again after a deletion, and ignores the deletion of an unknown key", () => {
    const lru = filled(2, "a", "b");
    lru.delete("a");
    lru.delete("x");
    lru.set("c", 2);
    expect(keysOf(lru, "a", "b", "c")).toEqual(["b", "c"]);
  });
});

describe("a limit of weight", () => {
  const words = () => new Lru<string, string>(10, (text) => text.length);

  it("evicts as many entries as the new one needs", () => {
    const lru = words();
    for (const key of ["aaa", "bbb", "ccc"]) lru.set(key, key);
    lru.set("dddddd", "dddddd");
    expect(keysOf(lru, "aaa", "bbb", "ccc", "dddddd")).toEqual(["ccc", "dddddd"]);
  });

  it("uses the new weight of a replaced entry", () => {
    const lru = words();
    lru.set("a", "xxxxxxxxx");
    lru.set("a", "x");
    lru.set("b", "xxxxxxxxx");
    expect(keysOf(lru, "a", "b")).toEqual(["a", "b"]);
  });

  it("keeps a new entry that is heavier than the limit, as the only entry", () => {
    const lru = words();
    lru.set("a", "x");
    lru.set("b", "x".repeat(11));
    expect(keysOf(lru, "a", "b")).toEqual(["b"]);
    lru.set("c", "x");
    expect(keysOf(lru, "b", "c")).toEqual(["c"]);
  });
});
