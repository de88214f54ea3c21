import { describe, expect, it } from "vitest";
import { Lru } from "../../lib/lru.ts";

/** The keys that are still there. Reading them counts as a use, so a test reads them last. */
const keysOf = <V>(lru: Lru<string, V>, ...keys: string[]) => keys.filter((key) => lru.get(key) !== undefined);

function filled(max: number, ...keys: string[]): Lru<string, number> {
  const lru = new Lru<string, number>(max);
  for (const [index, key] of keys.entries()) lru.set(key, index);
  return lru;
}

describe("a number of entries", () => {
  it("removes the entry that was unused for longest", () => {
    expect(keysOf(filled(2, "a", "b", "c"), "a", "b", "c")).toEqual(["b", "c"]);
  });

  it("counts reading as a use", () => {
    const lru = filled(2, "a", "b");
    lru.get("a");
    lru.set("c", 2);
    expect(keysOf(lru, "a", "b", "c")).toEqual(["a", "c"]);
  });

  it("counts replacing as a use, and does not count the entry twice", () => {
    const lru = filled(2, "a", "b");
    lru.set("a", 9);
    expect(lru.get("a")).toBe(9);
    lru.set("c", 2);
    expect(keysOf(lru, "a", "b", "c")).toEqual(["a", "c"]);
  });

  it("frees the room of a deleted entry, and ignores an unknown key", () => {
    const lru = filled(2, "a", "b");
    lru.delete("a");
    lru.delete("x");
    lru.set("c", 2);
    expect(keysOf(lru, "a", "b", "c")).toEqual(["b", "c"]);
  });
});

describe("a weight", () => {
  const words = () => new Lru<string, string>(10, (text) => text.length);

  it("removes as many entries as the new one needs", () => {
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

  it("keeps a new entry that is too heavy, alone", () => {
    const lru = words();
    lru.set("a", "x");
    lru.set("b", "x".repeat(11));
    expect(keysOf(lru, "a", "b")).toEqual(["b"]);
    lru.set("c", "x");
    expect(keysOf(lru, "b", "c")).toEqual(["c"]);
  });
});
