// Workers and endpoints share the account's concurrent executions of Lambda: 1,000, or as few as 10 in a new account. A
// backlog of jobs can wait. A call cannot, so the workers together get a part only.
import type { EventWorker, QueueWorker } from "../../lib/jobs/worker.ts";
import { defaults } from "./settings.ts";

/** SQS accepts no lower maximum for a function. */
const leastOfEach = 2;

/**
 * The most concurrent invocations of each worker, by its name: 2, and of the rest of `total` as much as its own maximum
 * has of all. Throws for a total that the workers cannot keep or cannot use. The default never throws, so that a new
 * worker needs no change of settings.
 */
export function concurrencyOf(
  workers: readonly (QueueWorker | EventWorker)[],
  total: number,
): ReadonlyMap<string, number> {
  const least = leastOfEach * workers.length;
  const most = workers.reduce((sum, { concurrencyMax }) => sum + concurrencyMax, 0);
  if (total !== defaults.workerConcurrency && (total < least || total > most)) {
    throw new Error(
      `workerConcurrency must be ${least} to ${most}, not ${total}: SQS takes at least ${leastOfEach} for each of ` +
        `${workers.length} workers, and they use no more.`,
    );
  }
  const part = Math.min(1, Math.max(0, total - least) / Math.max(1, most - least));
  return new Map(
    workers.map(({ name, concurrencyMax }) => [
      name,
      leastOfEach + Math.floor(part * Math.max(0, concurrencyMax - leastOfEach)),
    ]),
  );
}
