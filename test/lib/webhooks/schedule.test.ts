import { describe, expect, it } from "vitest";
import { nextAttemptAt } from "../../../lib/webhooks/schedule.ts";

const now = Date.parse("2026-01-31T12:00:00Z");
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const steps = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
const delayOf = (tries: number, retryAfter?: string, random = 0.5) =>
  (nextAttemptAt(tries, now, retryAfter, random) ?? Number.NaN) - now;

it("nextAttemptAt allows eight attempts", () => {
  expect(steps.map((_, index) => delayOf(index + 1))).toEqual(steps);
  expect(nextAttemptAt(8, now)).toBeUndefined();
  expect(nextAttemptAt(8, now, "5")).toBeUndefined();
});

it("nextAttemptAt varies each step by up to 10 %", () => {
  for (const [index, step] of steps.entries()) {
    expect(delayOf(index + 1, undefined, 0)).toBe(Math.round(step * 0.9));
    expect(delayOf(index + 1, undefined, 1)).toBe(Math.round(step * 1.1));
    for (let count = 0; count < 100; count++) {
      const drawn = (nextAttemptAt(index + 1, now) ?? 0) - now;
      expect(Math.abs(drawn - step)).toBeLessThanOrEqual(step * 0.1 + 1);
    }
  }
});

describe("Retry-After", () => {
  it.each([
    ["60", minute],
    [" 60 ", minute],
    [new Date(now + hour).toUTCString(), hour],
    ["43200", 12 * hour],
    ["99999999", 12 * hour],
    ["9".repeat(400), 12 * hour],
  ])("lengthens a step up to 12 hours: %s", (header, expected) => {
    expect(delayOf(1, header)).toBe(expected);
  });

  it.each(["0", "1", "-60", "1.5", "soon", "", "0x10", new Date(now - hour).toUTCString()])(
    "does not shorten a step: %s",
    (header) => {
      expect(delayOf(1, header)).toBe(5 * second);
      expect(delayOf(7, "60")).toBe(10 * hour);
    },
  );
});
