import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clientOptions } from "../../lib/aws.ts";
import { isBusy } from "../../lib/dynamodb/busy.ts";
import { monotonicMs } from "../../lib/monotonic.ts";
import { Patience, patienceShare } from "../../lib/patience.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** A request that the SDK has answered after this time and these attempts. */
const answered = async (ms: number, attempts: number) => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { $metadata: { attempts } };
};
const silence = () => new Promise<never>(() => {});

/** How long the call waits for a request without an answer. */
async function waitOf(patience: Patience): Promise<number> {
  const startedAt = monotonicMs();
  const ended = patience.await(silence()).catch((thrown) => thrown);
  await vi.runAllTimersAsync();
  expect(isBusy(await ended)).toBe(true);
  return Math.round(monotonicMs() - startedAt);
}

it("a call waits for a silent request as long as it may lose time, less what it has lost to repeated ones", async () => {
  const patience = new Patience(4_000);
  expect(await waitOf(patience)).toBe(4_000);
  const lost = patience.await(answered(1_600, 2));
  await vi.runAllTimersAsync();
  await lost;
  expect(await waitOf(patience)).toBe(2_400);
});

it("answers to first attempts cost nothing, however long they take", async () => {
  const patience = new Patience(4_000);
  for (let request = 0; request < 5; request++) {
    const answer = patience.await(answered(3_000, 1));
    await vi.runAllTimersAsync();
    await answer;
  }
  expect(await waitOf(patience)).toBe(4_000);
});

it("losses at the same time count once, and a request has at least 500 ms", async () => {
  const patience = new Patience(4_000);
  const both = Promise.all([patience.await(answered(2_000, 2)), patience.await(answered(3_000, 3))]);
  await vi.runAllTimersAsync();
  await both;
  expect(patience.allows(999)).toBe(true);
  expect(patience.allows(1_000)).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  patience.lose(monotonicMs() - 5_000);
  expect(await waitOf(patience)).toBe(500);
});

it("the shortest call can repeat one request without an answer", () => {
  vi.stubEnv("SLOWNESS", "1");
  const { socketTimeout } = clientOptions().requestHandler;
  expect(2 * socketTimeout).toBeLessThan(patienceShare * 10_000);
});
