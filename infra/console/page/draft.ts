// What the reader has entered and not sent yet. The fields stay open while it is sent, so the reader can go on.
import { useState } from "preact/hooks";
import { canonicalJson } from "./canonical.ts";

type Fields = Record<string, unknown>;

/** Removes what was sent, and keeps what the reader has entered since then. */
export function unsent<T extends string | Fields>(now: T, sent: T): T {
  if (typeof now === "string") return (now.startsWith(String(sent)) ? now.slice(sent.length as number) : now) as T;
  const wasSent = ([name, value]: [string, unknown]) =>
    Object.hasOwn(sent as Fields, name) && canonicalJson((sent as Fields)[name]) === canonicalJson(value);
  return Object.fromEntries(Object.entries(now).filter((entry) => !wasSent(entry))) as T;
}

/** `sent`: call it with what was sent, when that has succeeded. */
export function useDraft<T extends string | Fields>(empty: T) {
  const [draft, setDraft] = useState<T>(empty);
  const sent = (what: T) => setDraft((now) => unsent(now, what));
  return { draft, setDraft, sent };
}
