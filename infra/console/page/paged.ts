// A list that grows by pages. All pages that are open are kept up to date.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiFailure } from "./api.ts";
import { type LiveKey, useLive } from "./live.ts";
import { type PageOf, pagesOf } from "./paging.ts";

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
    let left = pages.current;
    let hasMore = false;
    for await (const { items: more, nextPageToken } of pagesOf((pageToken) => load(pageToken, signal))) {
      items.push(...more);
      hasMore = nextPageToken !== null;
      if (--left === 0) break;
    }
    setLoadingMore(false);
    return { items, hasMore };
  });
  const more = () => {
    pages.current++;
    setLoadingMore(true);
    live.reload();
  };
  const { data, failure, reload } = live;
  return { items: data?.items, hasMore: data?.hasMore ?? false, isLoadingMore, failure, more, reload };
}
