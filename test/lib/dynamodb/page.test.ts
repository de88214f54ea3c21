import { describe, expect, it } from "vitest";
import { fitting, pageOf } from "../../../lib/dynamodb/page.ts";
import fc from "../../support/property.ts";

describe("fitting", () => {
  it("returns how many of the first items fit a page, at least one", () => {
    const sizes = fc.array(fc.oneof(fc.constant(65_536), fc.nat(300_000), fc.constant(2_000_000)), { maxLength: 40 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const items = lengths.map((length) => "x".repeat(length));
        const count = fitting(items);
        const charactersOf = (end: number) => JSON.stringify(items.slice(0, end)).length;
        expect(count).toBeGreaterThanOrEqual(Math.min(1, items.length));
        if (count > 1) expect(charactersOf(count)).toBeLessThan(1_301_000);
        if (count < items.length) expect(charactersOf(count + 1)).toBeGreaterThan(1_300_000);
      }),
      { numRuns: 30 },
    );
  });

  it("counts the characters of the JSON: escape sequences in full, and a missing item as null", () => {
    expect(fitting(Array(100).fill("\u0001".repeat(65_536)))).toBe(3);
    expect(fitting(Array(100).fill(undefined))).toBe(100);
  });
});

describe("pageOf", () => {
  it("has `next` only when there is a next page", () => {
    expect(pageOf(["a"], "a")).toEqual({ items: ["a"], next: "a" });
    expect(Object.keys(pageOf(["a"], undefined))).toEqual(["items"]);
  });
});
