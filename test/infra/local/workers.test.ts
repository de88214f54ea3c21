import { expect, it, vi } from "vitest";
import { sweeper } from "../../../functions/workers/sweeper.ts";
import type { LocalSqs } from "../../../infra/local/sqs.ts";
import { runWorkers } from "../../../infra/local/workers.ts";

it("a scheduled worker skips its intervals while a run continues", async () => {
  vi.useFakeTimers();
  const first = Promise.withResolvers<void>();
  const run = vi.fn(() => first.promise);
  const onError = vi.fn();
  const workers = [{ ...sweeper, everyMinutes: 1, timeoutSeconds: 600 }];
  const { stop } = runWorkers({ workers, load: async () => run, sqs: {} as LocalSqs, onError });
  await vi.advanceTimersByTimeAsync(150_000);
  expect(run).toHaveBeenCalledTimes(1);
  first.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(2);
  stop();
  expect(onError).not.toHaveBeenCalled();
});
