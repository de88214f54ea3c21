// A page of a list. The position of the next page is a string that only the list itself can interpret.

export interface Page<T> {
  items: T[];
  /** The position of the next page; absent at the end of the list. */
  next?: string;
}

/** Characters of one page as JSON. Each is sent as at most three bytes, escapes included: below 4 MB. */
export const pageCharactersMax = 1_300_000;

/** How many of the first items fit one page; at least one. */
export function fitting(items: readonly unknown[]): number {
  let characters = 0;
  const end = items.findIndex((item, index) => {
    characters += JSON.stringify(item ?? null).length;
    return index > 0 && characters > pageCharactersMax;
  });
  return end < 0 ? items.length : end;
}

export function pageOf<T>(items: T[], next: string | undefined): Page<T> {
  return next === undefined ? { items } : { items, next };
}
