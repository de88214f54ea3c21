// Keeps what a page shows up to date. It asks again every few seconds while the page is visible, and renders only if the
// reply differs, so focus, scroll position and typed text stay. Parts that show the same thing share its calls.
import { useEffect, useState } from "preact/hooks";
import { ApiFailure } from "./api.ts";
import { canonicalJson } from "./canonical.ts";
import { type Polling, polling, refreshes, type Work } from "./polling.ts";
import { store } from "./store.ts";

const usualMs = 2_500;
/** For lists of a choice, which change seldom. */
export const seldomMs = 15_000;

export const connection = store<"live" | "failing">("live");

/** Lets everything that is shown load now, for example after a change. */
export const refresh = (): boolean => refreshes.dispatchEvent(new Event("refresh"));

export interface Live<T> {
  /** Undefined until the first reply. */
  data: T | undefined;
  failure: ApiFailure | undefined;
  reload(): void;
}

interface Entry {
  data: unknown;
  text: string | undefined;
  failure: ApiFailure | undefined;
  load: Work<unknown>;
  listeners: Set<() => void>;
  polling?: Polling | undefined;
}

/** Also replies of pages that were open before: they show at once when the reader comes back. */
const entries = new Map<string, Entry>();
const entriesMax = 100;

/** Names what is loaded: words, and then ids, which can have any character. Undefined: nothing is loaded. */
export type LiveKey = string | readonly unknown[] | undefined;

/** The same key always loads the same thing. */
export function useLive<T>(of: LiveKey, load: Work<T>, everyMs = usualMs): Live<T> {
  const [, render] = useState(0);
  const key = of === undefined ? undefined : JSON.stringify(of);
  const entry = key === undefined ? undefined : entryOf(key, load);
  const { data, failure } = entry ?? {};
  useEffect(() => {
    if (!entry) return;
    const listener = () => render((times) => times + 1);
    entry.listeners.add(listener);
    // A reply that came after this part was rendered, and before it listened, has told only the others.
    if (entry.data !== data || entry.failure !== failure) listener();
    entry.polling ??= polling((signal, isAsked) => ask(entry, signal, isAsked), everyMs);
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size > 0) return;
      entry.polling?.stop();
      entry.polling = undefined;
      entry.failure = undefined;
    };
  }, [entry, everyMs]);
  return { data: data as T | undefined, failure, reload: () => entry?.polling?.now() };
}

function entryOf(key: string, load: Entry["load"]): Entry {
  const known = entries.get(key);
  const entry = known ?? { data: undefined, text: undefined, failure: undefined, load, listeners: new Set() };
  entry.load = load;
  entries.delete(key);
  entries.set(key, entry);
  for (const [oldest, { listeners }] of entries) {
    if (entries.size <= entriesMax) break;
    if (listeners.size === 0 && oldest !== key) entries.delete(oldest);
  }
  return entry;
}

async function ask(entry: Entry, signal: AbortSignal, isAsked: boolean): Promise<void> {
  try {
    const data = await entry.load(signal, isAsked);
    if (signal.aborted) return;
    const text = canonicalJson(data);
    const isSame = text === entry.text && entry.failure === undefined;
    if (text !== entry.text) entry.data = data;
    Object.assign(entry, { text, failure: undefined });
    if (!isSame) tell(entry);
    tellConnection();
  } catch (thrown) {
    if (signal.aborted) return;
    entry.failure = thrown instanceof ApiFailure ? thrown : new ApiFailure("FAILED", String(thrown));
    tell(entry);
    tellConnection();
    throw thrown;
  }
}

/** The console's server or the API does not answer, or something between them does. */
const lost = /^(?:UNREACHABLE|UNAVAILABLE|DEADLINE_EXCEEDED|HTTP_\d+)$/;

function tellConnection(): void {
  const shown = [...entries.values()].filter(({ listeners }) => listeners.size > 0);
  connection.set(shown.some(({ failure }) => failure && lost.test(failure.status)) ? "failing" : "live");
}

const tell = ({ listeners }: Entry) => {
  for (const listener of [...listeners]) listener();
};
