// Runs something again and again while the page is visible.

/** After a failure: soon at first, also for what is loaded seldom, and then more and more slowly. */
const [soonMs, slowestMs] = [1_000, 30_000];

/** The event `refresh` runs all of it now. */
export const refreshes = new EventTarget();

export interface Polling {
  now(): void;
  stop(): void;
}

/** `isAsked`: the reader waits for it. Otherwise only the time has come. */
export type Work<T> = (signal: AbortSignal, isAsked: boolean) => Promise<T>;

/** Runs `work` now and again while the page is visible. */
export function polling(work: Work<void>, everyMs: number): Polling {
  let controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const run = async (signal: AbortSignal, isAsked: boolean) => {
    try {
      await work(signal, isAsked);
      failures = 0;
    } catch {
      // The reader sees the failure where the content would be.
      failures++;
    }
    const waitMs = failures === 0 ? everyMs : Math.min(soonMs * 2 ** failures, slowestMs);
    if (!signal.aborted && !document.hidden) timer = setTimeout(() => begin(false), waitMs);
  };
  const begin = (isAsked: boolean) => {
    controller.abort();
    clearTimeout(timer);
    controller = new AbortController();
    void run(controller.signal, isAsked);
  };
  const now = () => begin(true);
  const whenVisible = () => {
    if (document.hidden) clearTimeout(timer);
    else now();
  };
  document.addEventListener("visibilitychange", whenVisible);
  refreshes.addEventListener("refresh", now);
  now();
  return {
    now,
    stop() {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", whenVisible);
      refreshes.removeEventListener("refresh", now);
    },
  };
}
