// Pages of a list: the start of a page, and the token of the next page.
import { openCursor, sealCursor } from "./cursor.ts";
import type { Caller } from "./endpoint.ts";

const sizeDefault = 100;

/** `query` holds the name of the list and every parameter that selects its items. Refuses a token of another query. */
export function listing(
  { record }: Caller,
  query: readonly string[],
  { pageSize = sizeDefault, pageToken }: { pageSize?: number | undefined; pageToken?: string | undefined },
) {
  return {
    size: pageSize,
    /** The position to continue after; undefined for the first page. */
    from: openCursor<{ after: string }>(record, query, pageToken)?.after,
    /** Null at the end of the list, and only there. */
    tokenFor: (next: string | undefined) => (next === undefined ? null : sealCursor(record, query, { after: next })),
  };
}
