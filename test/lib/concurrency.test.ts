import { describe, expect, it, vi } from "vitest";
import { backoffMs, chunks, inParallel, pause } from "../../lib/concurrency.ts";
import fc from "../support/property.ts";

describe("inParallel", () => {
  it("keeps the order and never exceeds the limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 30 }), fc.integer({ min: 1, max: 6 }), async (turns, limit) => {
        let running = 0;
        let most = 0;
        const results = await inParallel(turns, limit, async (count) => {
          most = Math.max(most, ++running);
          for (let turn = 0; turn <= count; turn++) await Promise.resolve();
          running -= 1;
          return count * 2;
        });
        expect(results).toEqual(turns.map((count) => count * 2));
        expect(most).toBe(Math.min(limit, turns.length));
      }),
    );
  });

  it("throws the failure of an item", async () => {
    const work = inParallel([1, 2, 3], 2, async (each) => {
      if (each === 2) throw new Error("second");
    });
    await expect(work).rejects.toThrow("second");
  });

  it("begins no further item after a failure, and ends when those in progress have ended", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun: number[] = [];
    let hasEnded = false;
    const work = inParallel([0, 1, 2, 3, 4], 2, async (each) => {
      begun.push(each);
      if (each === 0) throw new Error("first");
      await promise;
      throw new Error("later");
    });
    const ended = expect(work.finally(() => (hasEnded = true))).rejects.toThrow("first");
    await new Promise(setImmediate);
    expect({ begun, hasEnded }).toEqual({ begun: [0, 1], hasEnded: false });
    resolve();
    await ended;
    expect(begun).toEqual([0, 1]);
  });
});

describe("chunks", () => {
  it("returns every item once and in order, in lists of at most `size`", () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 30 }), (items, size) => {
        const lists = chunks(items, size);
        expect(lists.flat()).toEqual(items);
        expect(lists.every((list, index) => list.length === size || index === lists.length - 1)).toBe(true);
      }),
    );
  });
});

it("backoffMs doubles its ceiling from 25 ms up to a second", () => {
  const random = vi.spyOn(Math, "random").mockReturnValue(0.5);
  expect([0, 1, 3, 6, 30].map(backoffMs)).toEqual([12.5, 25, 100, 500, 500]);
  random.mockRestore();
});

it("pause rejects when the signal aborts, before the wait or during it", async () => {
  vi.useFakeTimers();
  const deadline = new AbortController();
  const wait = pause(1_000, deadline.signal);
  deadline.abort(new Error("too late"));
  await expect(wait).rejects.toThrow("too late");
  await expect(pause(1_000, deadline.signal)).rejects.toThrow("too late");
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
