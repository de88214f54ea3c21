// Runs something again and again while the page is visible.

const slowestMs = 30_000;

/** The event `refresh` runs all of it now. */
export const refreshes = new EventTarget();

export interface Polling {
  now(): void;
  stop(): void;
}

/** `isAsked`: the reader waits for it. Otherwise only the time has come. */
export type Work<T> = (signal: AbortSignal, isAsked: boolean) => Promise<T>;

/** Runs `work` now and again while the page is visible. After a failure it waits longer. */
export function polling(work: Work<void>, everyMs: number): Polling {
  let controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = everyMs;

  const run = async (signal: AbortSignal, isAsked: boolean) => {
    try {
      await work(signal, isAsked);
      waitMs = everyMs;
    } catch {
      // The reader sees the failure where the content would be.
      waitMs = Math.min(waitMs * 2, slowestMs);
    }
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
