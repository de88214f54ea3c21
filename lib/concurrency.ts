// Bounded parallel work, and waits that end with the call.

/**
 * Runs `work` for each item, at most `limit` in parallel. Results keep the items' order. After a failure, it begins no
 * further item and waits for those in progress, then throws the first failure. So no work continues after it.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let failure: { thrown: unknown } | undefined;
  const lane = async () => {
    for (let index = next++; index < items.length && !failure; index = next++) {
      try {
        results[index] = await work(items[index] as T);
      } catch (thrown) {
        failure ??= { thrown };
      }
    }
  };
  const lanes: Promise<void>[] = [];
  while (lanes.length < Math.min(limit, items.length)) lanes.push(lane());
  await Promise.all(lanes);
  if (failure) throw failure.thrown;
  return results;
}

/** The result of `work`, which runs beside the check. A failure of the check comes first. */
export async function beside<T>(check: Promise<unknown>, work: Promise<T>): Promise<T> {
  work.catch(() => {});
  await check;
  return work;
}

/** Splits a list into lists of at most `size`. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = [];
  for (let start = 0; start < items.length; start += size) result.push(items.slice(start, start + size));
  return result;
}

/**
 * The wait before a retry; the first has `attempt` 0. It is random below a ceiling that starts at 25 ms and doubles up to
 * 1 s ("full jitter", as AWS advises).
 */
export const backoffMs = (attempt: number) => Math.random() * Math.min(1_000, 25 * 2 ** attempt);

/** Waits. Rejects with the signal's reason when the signal aborts first. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
