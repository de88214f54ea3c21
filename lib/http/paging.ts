// Pages of a list: the start of a page, and the token of the next page.
import { pageSizeDefault } from "../schema/paging.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import type { Caller } from "./endpoint.ts";

/**
 * `query` holds the name of the list and every parameter that selects its items. Refuses a token of another query.
 * `named`: the ids that the request names, without repetitions, if it does.
 */
export function listing(
  { record }: Caller,
  query: readonly string[],
  { pageSize, pageToken }: { pageSize?: number | undefined; pageToken?: string | undefined },
  named?: readonly string[],
) {
  return {
    size: pageSize ?? named?.length ?? pageSizeDefault,
    /** The position to continue after; undefined for the first page. */
    from: openCursor<{ after: string }>(record, query, pageToken)?.after,
    /** Null at the end of the list, and only there. */
    tokenFor: (next: string | undefined) => (next === undefined ? null : sealCursor(record, query, { after: next })),
  };
}
