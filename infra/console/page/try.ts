// Something that the reader asked for can be tried again after a failure. A retry sends the same as the first try, ids
// and times too, so the API recognises it and does nothing twice.
import { canonicalJson } from "./canonical.ts";

export interface Try {
  /** Ends when the reader leaves the page. A load takes it; a change goes on. */
  signal: AbortSignal;
  /**
   * The value that `make` returned when the same content was tried first: an idempotency key, an id, a time. Of equal
   * contents of one try, each has a value of its own.
   */
  kept<T>(of: unknown, make: () => T): T;
}

/** `values`: those of the former tries. */
export function tryOf(values: Map<string, unknown>, signal: AbortSignal): Try {
  const counts = new Map<string, number>();
  return {
    signal,
    kept<T>(of: unknown, make: () => T): T {
      const content = canonicalJson(of);
      const nth = (counts.get(content) ?? 0) + 1;
      counts.set(content, nth);
      const name = `${nth} ${content}`;
      if (!values.has(name)) values.set(name, make());
      return values.get(name) as T;
    },
  };
}
