// Comments that the reader has typed and not sent. They stay when their form goes: the reader may open another page, and
// somebody else may delete the thread.
import { canonicalJson } from "./canonical.ts";
import { unsent } from "./draft.ts";
import { store, useStore } from "./store.ts";
import type { DocumentPlace } from "./types.ts";

/** A reply has no `commentId`, and a new thread no `annotationId`. */
export interface TypedAt extends DocumentPlace {
  annotationId?: string;
  commentId?: string;
}

export interface Typed {
  at: TypedAt;
  text: string;
  /** What stood there when the reader began, or has last saved. */
  base: string;
  /** All that stood there because of the reader. Any other text is somebody else's. */
  known: Set<string>;
  /** Those of the tries to send it (see try.ts): the reader may come back and try again. */
  values: Map<string, unknown>;
  /** Of a new thread: the name of its location, and the identity of the one that the list was filtered by. */
  where?: { name: string; filter: string };
}

/** By their place, as canonical JSON. */
const texts = store<ReadonlyMap<string, Typed>>(new Map());

const begun = (at: TypedAt, base: string): Typed => ({
  at,
  text: base,
  base,
  known: new Set([base]),
  values: new Map(),
});

/** `change` returns undefined to forget it. */
function put(at: TypedAt, change: (now: Typed | undefined) => Typed | undefined): void {
  const key = canonicalJson(at);
  const next = new Map(texts.get());
  const changed = change(next.get(key));
  if (changed) next.set(key, changed);
  else next.delete(key);
  texts.set(next);
}

/**
 * What the reader has typed at one place. `typed` is undefined before the reader begins. The functions read the newest
 * text, also after the form has gone.
 */
export function useTyped(at: TypedAt) {
  const typed = useStore(texts, (now) => now.get(canonicalJson(at)));
  return {
    typed,
    begin: (base: string) => put(at, () => begun(at, base)),
    write: (text: string, where?: Typed["where"]) =>
      put(at, (now = begun(at, "")) => ({ ...now, text, ...(where && { where }) })),
    /** Removes what was sent, and keeps what the reader has typed since then. */
    sent: (text: string) => put(at, (now) => now && { ...now, text: unsent(now.text, text) }),
    /** Ends the change, unless the reader has typed more since it was sent. */
    saved: (text: string) => put(at, (now) => (now && now.text !== text ? { ...now, base: text } : undefined)),
    end: () => discard(at),
  };
}

/** What the reader has changed in a document and not sent. */
export function useAllTyped(place: DocumentPlace): Typed[] {
  return [...useStore(texts).values()].filter(
    ({ at, text, base }) => isIn(at, place) && text !== base && text.trim() !== "",
  );
}

export function discard(at: TypedAt): void {
  put(at, () => undefined);
}

/** For a thread that the reader has deleted. */
export function discardThread(place: DocumentPlace, annotationId: string): void {
  for (const { at } of texts.get().values()) {
    if (isIn(at, place) && at.annotationId === annotationId) discard(at);
  }
}

const isIn = (at: TypedAt, { organizationId, documentId }: DocumentPlace) =>
  at.organizationId === organizationId && at.documentId === documentId;
