// Lists of the API, which have pages.
import { useState } from "preact/hooks";
import { type ApiFailure, load } from "./api.ts";
import { useLive } from "./live.ts";

/** Ms for each loaded page: a list of ten pages is loaded again a tenth as often. */
const pageMs = 2_500;

interface Pages<T> {
  items: T[];
  count: number;
  hasMore: boolean;
}

/** Reads up to `max` pages. `field`: where the reply has the items. */
export async function readPages<T>(
  path: string,
  field: string,
  data: object,
  { max, signal }: { max: number; signal: AbortSignal },
): Promise<Pages<T>> {
  const items: T[] = [];
  let pageToken: string | null = null;
  for (let count = 1; count <= max; count++) {
    type Reply = Record<string, T[]> & { nextPageToken: string | null };
    const reply: Reply = await load(path, { ...data, ...(pageToken && { pageToken }) }, signal);
    items.push(...(reply[field] ?? []));
    pageToken = reply.nextPageToken;
    if (!pageToken) return { items, count, hasMore: false };
  }
  return { items, count: max, hasMore: true };
}

export interface List<T> {
  items: T[] | undefined;
  hasMore: boolean;
  isLoadingMore: boolean;
  failure: ApiFailure | undefined;
  more(): void;
  reload(): void;
}

/** A list that grows by pages when the reader asks. Undefined path: nothing is loaded. */
export function useList<T>(path: string | undefined, field: string, data: object, everyMs = pageMs): List<T> {
  const key = path && JSON.stringify([path, data]);
  const [asked, setAsked] = useState({ key, pages: 1 });
  const pages = asked.key === key ? asked.pages : 1;
  const read = (signal: AbortSignal) => readPages<T>(path ?? "", field, data, { max: pages, signal });
  const { data: shown, failure, reload } = useLive(key, read, everyMs * pages);
  const more = () => {
    const next = (shown?.count ?? 0) + 1;
    // A second try asks for the same page again.
    if (next === pages) reload();
    setAsked({ key, pages: next });
  };
  const isLoadingMore = !failure && (shown?.hasMore ?? false) && (shown?.count ?? 0) < pages;
  return { items: shown?.items, hasMore: shown?.hasMore ?? false, isLoadingMore, failure, more, reload };
}
