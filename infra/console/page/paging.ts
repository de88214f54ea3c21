// Reads a list page by page. A list that has no end stops too: a reply can be wrong.
import { ApiFailure } from "./api.ts";

export interface PageOf<T> {
  items: T[];
  nextPageToken: string | null;
}

const pagesMax = 1_000;

/** Page after page, up to the last one. Fails at a token that came before, and after 1,000 pages. */
export async function* pagesOf<P extends { nextPageToken: string | null }>(
  load: (pageToken: string | undefined) => Promise<P>,
): AsyncGenerator<P, void> {
  const tokens = new Set<string>();
  let token: string | undefined;
  while (tokens.size < pagesMax) {
    const page = await load(token);
    yield page;
    if (page.nextPageToken === null || page.nextPageToken === undefined) return;
    token = page.nextPageToken;
    if (tokens.has(token)) throw new ApiFailure("ENDLESS", "The API replied the same page token twice.");
    tokens.add(token);
  }
  throw new ApiFailure("ENDLESS", `There are more than ${pagesMax} pages. The console reads no further.`);
}

/** Reads all pages, up to `max` items: for a choice from a list. */
export async function allPages<T>(
  load: (pageToken: string | undefined) => Promise<PageOf<T>>,
  max = 1_000,
): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pagesOf(load)) {
    items.push(...page.items);
    if (items.length >= max) break;
  }
  return items;
}
