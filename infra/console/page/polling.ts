// Runs something again and again while the page is visible.

const slowestMs = 30_000;

/** The event `refresh` runs all of it now. */
export const refreshes = new EventTarget();

export interface Polling {
  now(): void;
  stop(): void;
}

/** Runs `work` now and again. After a failure it waits longer. */
export function polling(work: (signal: AbortSignal) => Promise<void>, everyMs: number): Polling {
  let controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = everyMs;

  const run = async (signal: AbortSignal) => {
    try {
      await work(signal);
      waitMs = everyMs;
    } catch {
      // The reader sees the failure where the content would be.
      waitMs = Math.min(waitMs * 2, slowestMs);
    }
    if (!signal.aborted && !document.hidden) timer = setTimeout(now, waitMs);
  };
  const now = () => {
    controller.abort();
    clearTimeout(timer);
    controller = new AbortController();
    void run(controller.signal);
  };
  const whenVisible = () => {
    if (!document.hidden) now();
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
