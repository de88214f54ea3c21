// Keeps what a page shows up to date. It asks again every few seconds while the page is visible, and renders only if the
// reply differs, so focus, scroll position and typed text stay.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiFailure } from "./api.ts";
import { canonicalJson } from "./canonical.ts";
import { store } from "./store.ts";

const usualMs = 2_500;
const slowestMs = 30_000;

/** What each open list says; the header shows whether the page follows. */
export const connection = store<"live" | "failing">("live");

const refreshes = new EventTarget();
/** Lets everything that is shown load now, for example after a change. */
export const refresh = (): boolean => refreshes.dispatchEvent(new Event("refresh"));

/** Replies of pages that were open before: they show at once when the reader comes back. */
const kept = new Map<string, { data: unknown; text: string }>();
const keptMax = 100;

export interface Live<T> {
  /** Undefined until the first reply. */
  data: T | undefined;
  failure: ApiFailure | undefined;
  reload(): void;
}

interface Shown<T> {
  key: string | undefined;
  data: T | undefined;
  failure?: ApiFailure | undefined;
}

/** `key` names what is loaded; undefined: nothing. */
export function useLive<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs = usualMs,
): Live<T> {
  const [shown, setShown] = useState<Shown<T>>({ key, data: dataOf<T>(key) });
  const loader = useRef(load);
  loader.current = load;
  const again = useRef<() => void>(() => {});

  useEffect(() => {
    if (key === undefined) return;
    setShown((before) => (before.key === key ? before : { key, data: dataOf<T>(key) }));
    const poll = polling(async (signal) => {
      try {
        const data = await loader.current(signal);
        if (!signal.aborted) keep(key, data);
        if (!signal.aborted) connection.set("live");
        if (!signal.aborted) setShown((before) => after(before, key, data));
      } catch (thrown) {
        if (signal.aborted) return;
        const failure = thrown instanceof ApiFailure ? thrown : new ApiFailure("FAILED", String(thrown));
        if (failure.status === "UNREACHABLE") connection.set("failing");
        setShown((before) => ({ key, data: before.key === key ? before.data : undefined, failure }));
        throw failure;
      }
    }, everyMs);
    again.current = poll.now;
    return poll.stop;
  }, [key, everyMs]);

  const reload = useCallback(() => again.current(), []);
  const isCurrent = shown.key === key;
  return { data: isCurrent ? shown.data : dataOf<T>(key), failure: isCurrent ? shown.failure : undefined, reload };
}

/** The same object if nothing differs, so that nothing is rendered. */
function after<T>(before: Shown<T>, key: string, data: T): Shown<T> {
  const isSame = before.key === key && !before.failure && canonicalJson(before.data) === kept.get(key)?.text;
  return isSame ? before : { key, data };
}

const dataOf = <T>(key: string | undefined) => (key === undefined ? undefined : (kept.get(key)?.data as T | undefined));

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, { data, text: canonicalJson(data) });
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break;
    kept.delete(oldest);
  }
}

/** Runs `work` now and again. After a failure it waits longer; while the page is hidden it does not run. */
function polling(work: (signal: AbortSignal) => Promise<void>, everyMs: number): { now(): void; stop(): void } {
  let controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = everyMs;

  const now = () => {
    controller.abort();
    clearTimeout(timer);
    controller = new AbortController();
    const { signal } = controller;
    const next = () => {
      if (!signal.aborted && !document.hidden) timer = setTimeout(now, waitMs);
    };
    work(signal).then(
      () => {
        waitMs = everyMs;
        next();
      },
      () => {
        waitMs = Math.min(waitMs * 2, slowestMs);
        next();
      },
    );
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
