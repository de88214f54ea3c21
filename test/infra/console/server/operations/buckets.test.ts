import { describe, expect, test } from "vitest";
import { createBuckets, minutesMax } from "../../../../../infra/console/server/operations/buckets.ts";

const start = Date.UTC(2026, 0, 1, 12);
const at = (minute: number, line: object) => ({ time: new Date(start + minute * 60_000).toISOString(), ...line });
const call = (durationMs: number, more = {}) => ({ message: "call", durationMs, ...more });

/** The values of a series that are not 0, by minute. */
function valuesOf(buckets: ReturnType<typeof createBuckets>, name: string, minutes: number, now: number) {
  const { points } =
    buckets.series(minutes, start + now * 60_000).find((each) => each.name === name) ?? expect.fail(name);
  return points.filter(([, value]) => value !== 0).map(([time, value]) => [(time - start / 1_000) / 60, value]);
}

test("calls, jobs, deliveries and messages are counted by the minute in which they ended", () => {
  const buckets = createBuckets();
  for (const line of [
    at(0, call(10)),
    at(0.5, call(20, { http: 503 })),
    at(1, call(30, { http: 200 })),
    at(1, call(30, { http: 404 })),
    at(1, call(30, { http: 500 })),
    at(1, { message: "job", outcome: "done", messagesSent: 2, messagesFailed: 1 }),
    at(1, { message: "job", outcome: "threw" }),
    at(2, { message: "job failed", outcome: "failed" }),
    at(2, { message: "delivery", outcome: "delivered" }),
    at(2, { message: "delivery", outcome: "again" }),
    at(3, { message: "delivery", outcome: "failed" }),
    at(3, { message: "scheduled", durationMs: 5 }),
    { message: "call", durationMs: 1 },
  ])
    buckets.add(line);
  const values = (name: string) => valuesOf(buckets, name, 60, 5);
  expect(values("calls")).toEqual([
    [0, 2],
    [1, 3],
  ]);
  expect(values("refused")).toEqual([[1, 1]]);
  expect(values("failures")).toEqual([
    [0, 1],
    [1, 1],
  ]);
  expect(values("jobs done")).toEqual([[1, 1]]);
  expect(values("jobs failed")).toEqual([[2, 1]]);
  expect(values("deliveries sent")).toEqual([[2, 1]]);
  expect(values("deliveries failed")).toEqual([[3, 1]]);
  expect(values("messages sent")).toEqual([[1, 2]]);
  expect(values("messages failed")).toEqual([[1, 1]]);
});

test("a range has at most 60 points, the last one with the present, and counters have one for each time", () => {
  const buckets = createBuckets();
  buckets.add(at(0, call(10)));
  buckets.add(at(23, call(10)));
  for (const minutes of [1, 5, 60, 61, 360, minutesMax]) {
    const points = buckets.series(minutes, start + 23 * 60_000)[0]?.points ?? [];
    const width = Math.ceil(minutes / 60);
    expect(points.length, String(minutes)).toBe(Math.ceil(minutes / width));
    expect(points.length).toBeLessThanOrEqual(60);
    const last = points.at(-1) ?? [0, 0];
    expect(last[0]).toBe(start / 1_000 + Math.floor(23 / width) * width * 60);
    expect(last[1]).toBeGreaterThan(0);
  }
  expect(valuesOf(buckets, "calls", minutesMax, 23)).toEqual([[0, 2]]);
});

describe("the latency", () => {
  test("is right to 5 %, over all calls of a bucket", () => {
    const buckets = createBuckets();
    for (let ms = 1; ms <= 1_000; ms++) buckets.add(at(ms % 2, call(ms)));
    const [[, p50] = [], [, p95] = []] = ["latency p50", "latency p95"].map(
      (name) => valuesOf(buckets, name, 120, 1)[0],
    );
    expect(Number(p50) / 500).toBeCloseTo(1, 1);
    expect(Number(p95) / 950).toBeCloseTo(1, 1);
  });

  test("has no point where there was no call", () => {
    const buckets = createBuckets();
    buckets.add(at(3, call(7)));
    expect(buckets.series(60, start + 5 * 60_000).find(({ name }) => name === "latency p95")?.points).toHaveLength(1);
  });
});

test("minutes before the last day are forgotten", () => {
  const buckets = createBuckets();
  for (let minute = 0; minute <= minutesMax; minute++) buckets.add(at(minute, call(1)));
  const total = (now: number) =>
    valuesOf(buckets, "calls", minutesMax, now).reduce((sum, [, value = 0]) => sum + value, 0);
  expect(total(minutesMax - 1)).toBe(minutesMax - 1);
});
