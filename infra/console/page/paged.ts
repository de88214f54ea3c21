// A list that grows by pages. Its first pages are kept up to date, the others when the reader asks and now and then.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiFailure } from "./api.ts";
import { canonicalJson } from "./canonical.ts";
import { type LiveKey, seldomMs, useLive } from "./live.ts";
import { type PageOf, pagesOf } from "./paging.ts";

/** So a list that is open costs the API two calls each time, however far the reader has gone down. */
const livePages = 2;
const wholeEveryMs = 60_000;

export interface Paged<T> {
  items: T[] | undefined;
  hasMore: boolean;
  isLoadingMore: boolean;
  failure: ApiFailure | undefined;
  more(): void;
  reload(): void;
}

interface Shown<T> {
  items: T[];
  hasMore: boolean;
}

type Load<T> = (pageToken: string | undefined, signal: AbortSignal) => Promise<PageOf<T>>;

export function usePaged<T>(key: LiveKey, load: Load<T>): Paged<T> {
  const pages = useRef(1);
  /** How many of them the last whole read has got. */
  const pagesRead = useRef(1);
  const wholeAt = useRef(0);
  const shown = useRef<Shown<T>>(undefined);
  const [isLoadingMore, setLoadingMore] = useState(false);
  useEffect(() => {
    pages.current = 1;
    pagesRead.current = 1;
  }, [JSON.stringify(key)]);
  const live = useLive(key, async (signal, isAsked): Promise<Shown<T>> => {
    const before = shown.current;
    const sinceMs = Date.now() - wholeAt.current;
    if (!isAsked && before && pages.current > livePages && sinceMs < wholeEveryMs) {
      const joined = withRest(await read(load, livePages, signal), before);
      if (joined) return joined;
      if (sinceMs < seldomMs) return before;
    }
    try {
      const asked = pages.current;
      const whole = await read(load, asked, signal);
      wholeAt.current = Date.now();
      pagesRead.current = asked;
      return whole;
    } catch (thrown) {
      // The next read is whole too: the first pages alone would hide that the others are missing.
      if (!signal.aborted) wholeAt.current = 0;
      throw thrown;
    } finally {
      // After a failure too: the reader can ask again.
      if (!signal.aborted) setLoadingMore(false);
    }
  });
  shown.current = live.data;
  const more = () => {
    // A second try asks for the same page again.
    pages.current = pagesRead.current + 1;
    setLoadingMore(true);
    live.reload();
  };
  const { data, failure, reload } = live;
  return { items: data?.items, hasMore: data?.hasMore ?? false, isLoadingMore, failure, more, reload };
}

async function read<T>(load: Load<T>, pagesMax: number, signal: AbortSignal): Promise<Shown<T>> {
  const items: T[] = [];
  let pages = 0;
  for await (const page of pagesOf((pageToken) => load(pageToken, signal))) {
    items.push(...page.items);
    if (++pages === pagesMax) return { items, hasMore: page.nextPageToken !== null };
  }
  return { items, hasMore: false };
}

/** The first pages as they are now, and what stood below them. Undefined: they do not meet. */
export function withRest<T>(first: Shown<T>, before: Shown<T>): Shown<T> | undefined {
  if (!first.hasMore) return first;
  const last = canonicalJson(first.items.at(-1));
  const at = before.items.findLastIndex((each) => canonicalJson(each) === last);
  return at < 0 ? undefined : { items: [...first.items, ...before.items.slice(at + 1)], hasMore: before.hasMore };
}
