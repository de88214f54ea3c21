import { expect, test, vi } from "vitest";
import { hardLive } from "../../../../infra/local/hard/live.ts";
import { type LiveRates, liveRates } from "../../../../infra/local/hard/rates.ts";

const none = Object.fromEntries(Object.keys(liveRates).map((name) => [name, 0])) as unknown as LiveRates;
const numbers = Array.from({ length: 40 }, (_, index) => index);

/** What a subscription hears of 40 events, and how often its connection ends. */
function passed(rates: Partial<LiveRates>, seed = 1) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const hard = hardLive(seed, { ...none, ...rates });
  const heard: number[] = [];
  let ends = 0;
  for (const each of numbers) {
    hard.pass(
      () => heard.push(each),
      () => ends++,
    );
  }
  vi.advanceTimersByTime(100_000);
  hard.close();
  vi.useRealTimers();
  return { heard, ends };
}

test("without disturbances, every event arrives once and in order", () => {
  expect(passed({})).toEqual({ heard: numbers, ends: 0 });
});

test("events are lost, arrive twice, or end the connection", () => {
  const { heard } = passed({ lost: 0.5 });
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.length).toBeLessThan(numbers.length);
  expect(passed({ doubled: 1 }).heard).toEqual(numbers.flatMap((each) => [each, each]));
  expect(passed({ ended: 1 })).toEqual({ heard: [], ends: numbers.length });
});

test("late events are overtaken, and the same seed disturbs the same ones", () => {
  const { heard } = passed({ late: 0.5, lateMsMax: 1_000 });
  expect(heard).not.toEqual(numbers);
  expect(heard.toSorted((a, b) => a - b)).toEqual(numbers);
  expect(passed({ late: 0.5, lateMsMax: 1_000 }).heard).toEqual(heard);
  expect(passed({ late: 0.5, lateMsMax: 1_000 }, 2).heard).not.toEqual(heard);
});

test("late events that wait at the end never arrive", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const hard = hardLive(1, { ...none, late: 1, lateMsMax: 1_000 });
  const hear = vi.fn<() => void>();
  hard.pass(hear, () => {});
  hard.close();
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  expect(hear).not.toHaveBeenCalled();
});

test("a publication that fails was carried out or not", async () => {
  const hard = hardLive(1, { ...none, failed: 1 });
  let done = 0;
  for (const _ of numbers) await expect(hard.publish(async () => void done++)).rejects.toThrow();
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(numbers.length);
});
