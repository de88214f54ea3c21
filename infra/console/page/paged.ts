// A list that grows by pages. All pages that are open are kept up to date.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiFailure } from "./api.ts";
import { type LiveKey, useLive } from "./live.ts";

export interface PageOf<T> {
  items: T[];
  nextPageToken: string | null;
}

export interface Paged<T> {
  items: T[] | undefined;
  hasMore: boolean;
  isLoadingMore: boolean;
  failure: ApiFailure | undefined;
  more(): void;
  reload(): void;
}

export function usePaged<T>(
  key: LiveKey,
  load: (pageToken: string | undefined, signal: AbortSignal) => Promise<PageOf<T>>,
): Paged<T> {
  const pages = useRef(1);
  const [isLoadingMore, setLoadingMore] = useState(false);
  useEffect(() => {
    pages.current = 1;
  }, [JSON.stringify(key)]);
  const live = useLive(key, async (signal) => {
    const items: T[] = [];
    let token: string | null | undefined;
    for (let page = 0; page < pages.current && token !== null; page++) {
      const { items: more, nextPageToken } = await load(token, signal);
      items.push(...more);
      token = nextPageToken;
    }
    setLoadingMore(false);
    return { items, hasMore: typeof token === "string" };
  });
  const more = () => {
    pages.current++;
    setLoadingMore(true);
    live.reload();
  };
  const { data, failure, reload } = live;
  return { items: data?.items, hasMore: data?.hasMore ?? false, isLoadingMore, failure, more, reload };
}

/** Reads all pages, up to `max` items: for a choice from a list. */
export async function allPages<T>(
  load: (pageToken: string | undefined) => Promise<PageOf<T>>,
  max = 1_000,
): Promise<T[]> {
  const items: T[] = [];
  for await (const page of eachPage(load)) {
    items.push(...page.items);
    if (items.length >= max) break;
  }
  return items;
}

/** The pages, one after the other. Fails when the API names a page again, since that would not end. */
export async function* eachPage<P extends { nextPageToken: string | null }>(
  load: (pageToken: string | undefined) => Promise<P>,
): AsyncGenerator<P> {
  const seen = new Set<string>();
  for (let token: string | undefined; ; ) {
    const page = await load(token);
    yield page;
    token = page.nextPageToken ?? undefined;
    if (token === undefined) return;
    if (seen.has(token)) throw new ApiFailure("UNAVAILABLE", "The API names the same page again, so reading stops.");
    seen.add(token);
  }
}
