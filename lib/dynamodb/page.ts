// A page of a list. The position after it is a string that only the list itself can read.

export interface Page<T> {
  items: T[];
  /** Where the next page begins; absent at the end. */
  next?: string;
}

/** Characters of one page as JSON; with escapes and three-byte characters it stays within 4 MB. */
export const pageCharactersMax = 1_300_000;

/** How many of these items, from the first on, fit one page; at least one. */
export function fitting(items: readonly unknown[]): number {
  let characters = 0;
  const end = items.findIndex((item, index) => {
    characters += JSON.stringify(item ?? null).length;
    return index > 0 && characters > pageCharactersMax;
  });
  return end < 0 ? items.length : end;
}

/** A page with `next` only where there is one. */
export function pageOf<T>(items: T[], next: string | undefined): Page<T> {
  return next === undefined ? { items } : { items, next };
}
