import { expect, test } from "vitest";
import { withRest } from "../../../../infra/console/page/paged.ts";

const before = { items: [{ id: 1 }, { id: 2 }, { id: 3 }], hasMore: true };

test("what stands below the first pages stays when something is added above", () => {
  const first = { items: [{ id: 0 }, { id: 1 }], hasMore: true };
  expect(withRest(first, before)).toEqual({ items: [{ id: 0 }, { id: 1 }, { id: 2 }, { id: 3 }], hasMore: true });
});

test("a list that has become short has no rest", () => {
  expect(withRest({ items: [{ id: 1 }], hasMore: false }, before)).toEqual({ items: [{ id: 1 }], hasMore: false });
});

test("first pages that are all new do not meet what stood there", () => {
  expect(withRest({ items: [{ id: 8 }, { id: 9 }], hasMore: true }, before)).toBeUndefined();
});
