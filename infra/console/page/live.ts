// Keeps what a page shows up to date. It loads again every few seconds while the page is visible. Parts that show the
// same thing share its calls. A list of the API has pages, which are loaded when the reader asks.
import { useEffect, useReducer, useState } from "preact/hooks";
import { type ApiFailure, failureOf, load } from "./api.ts";

const usualMs = 2_500;
/** For what changes seldom. */
export const seldomMs = 15_000;
const slowestMs = 30_000;

type Load<T> = (signal: AbortSignal) => Promise<T>;

export interface Live<T> {
  /** Undefined until the first reply. */
  data: T | undefined;
  failure: ApiFailure | undefined;
  reload(): void;
}

/** One thing that is loaded again and again while somebody listens. */
class Feed {
  data: unknown;
  failure: ApiFailure | undefined;
  load: Load<unknown> = async () => undefined;
  private readonly listeners = new Set<() => void>();
  private everyMs = usualMs;
  private failures = 0;
  private running = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Returns a function that ends it. */
  listen(listener: () => void, everyMs: number): () => void {
    const isFirst = this.listeners.size === 0;
    this.listeners.add(listener);
    if (isFirst || everyMs !== this.everyMs) {
      this.everyMs = everyMs;
      this.now();
    }
    // A reply can arrive between the rendering of this part and this call.
    if (!isFirst) listener();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.pause();
    };
  }

  now(): void {
    this.pause();
    if (this.listeners.size > 0 && !document.hidden) void this.run(this.running.signal);
  }

  pause(): void {
    this.running.abort();
    this.running = new AbortController();
    clearTimeout(this.timer);
  }

  private async run(signal: AbortSignal): Promise<void> {
    try {
      const data = await this.load(signal);
      if (signal.aborted) return;
      // Without a change, nothing is rendered, so focus, scroll position and typed text stay.
      if (this.failures > 0 || JSON.stringify(data) !== JSON.stringify(this.data)) this.tell(data, undefined);
      this.failures = 0;
    } catch (thrown) {
      if (signal.aborted) return;
      this.failures++;
      this.tell(this.data, failureOf(thrown));
    }
    const waitMs = this.failures === 0 ? this.everyMs : Math.min(1_000 * 2 ** this.failures, slowestMs);
    this.timer = setTimeout(() => this.now(), waitMs);
  }

  private tell(data: unknown, failure: ApiFailure | undefined): void {
    Object.assign(this, { data, failure });
    for (const listener of [...this.listeners]) listener();
  }
}

/** Also of pages that were open before: they show at once when the reader comes back. */
const feeds = new Map<string, Feed>();

/** Loads everything that is shown now, for example after a change. */
export function refresh(): void {
  for (const feed of feeds.values()) feed.now();
}

/** Tests import this module without a document. */
globalThis.document?.addEventListener("visibilitychange", () => {
  if (document.hidden) for (const feed of feeds.values()) feed.pause();
  else refresh();
});

/** The same key always loads the same thing. Undefined: nothing is loaded. */
export function useLive<T>(key: string | undefined, load: Load<T>, everyMs = usualMs): Live<T> {
  const [, render] = useReducer<number, void>((count) => count + 1, 0);
  const feed = key === undefined ? undefined : (feeds.get(key) ?? new Feed());
  if (feed && key !== undefined) {
    feeds.set(key, feed);
    feed.load = load;
  }
  useEffect(() => feed?.listen(render, everyMs), [feed, everyMs]);
  return { data: feed?.data as T | undefined, failure: feed?.failure, reload: () => feed?.now() };
}

/** The reply of an endpoint that only reads. Undefined path: nothing is loaded. */
export const useCall = <T>(path: string | undefined, data: object, everyMs?: number): Live<T> =>
  useLive(path && JSON.stringify([path, data]), (signal) => load<T>(path ?? "", data, signal), everyMs);

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
