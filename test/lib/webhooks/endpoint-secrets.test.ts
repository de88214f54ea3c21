import { describe, expect, it } from "vitest";
import { firstEnd, rotated } from "../../../lib/webhooks/endpoint-secrets.ts";

const now = 1_000_000;
const day = 24 * 3_600_000;

describe("rotated", () => {
  it("keeps the replaced secret valid for a day", () => {
    expect(rotated([{ sealed: "a" }], { sealed: "b" }, now)).toEqual([
      { sealed: "b" },
      { sealed: "a", until: now + day },
    ]);
  });

  it("removes secrets that are no longer valid", () => {
    const earlier = [{ sealed: "a" }, { sealed: "ending", until: now + 1 }, { sealed: "ended", until: now }];
    const kept = rotated(earlier, { sealed: "b" }, now)?.map(({ sealed }) => sealed);
    expect(kept).toEqual(["b", "a", "ending"]);
  });

  it("ends no secret early: a rotation with four former secrets that are valid is refused", () => {
    const earlier = (count: number) => [
      { sealed: "a" },
      ...Array.from({ length: count }, (_, index) => ({ sealed: `s${index}`, until: now + 1 })),
    ];
    expect(rotated(earlier(3), { sealed: "b" }, now)).toHaveLength(5);
    expect(rotated(earlier(4), { sealed: "b" }, now)).toBeUndefined();
    expect(rotated(earlier(4), { sealed: "b" }, now + 1)).toHaveLength(2);
  });
});

describe("firstEnd", () => {
  it("is the end of the former secret that ends first, of those that are valid", () => {
    const ending = [now + 2, now, now + 1].map((until) => ({ sealed: "s", until }));
    expect(firstEnd([{ sealed: "a" }, ...ending], now)).toBe(now + 1);
    expect(firstEnd([{ sealed: "a" }], now)).toBe(Number.POSITIVE_INFINITY);
  });
});
