// Pages of a list: where a page begins, and the token of the next page.
import { openCursor, sealCursor } from "./cursor.ts";
import type { Caller } from "./endpoint.ts";

const sizeDefault = 100;

/** `question` names the list and everything that decides which items it has. A token of another question is refused. */
export function listing(
  { record }: Caller,
  question: readonly string[],
  { pageSize = sizeDefault, pageToken }: { pageSize?: number | undefined; pageToken?: string | undefined },
) {
  return {
    size: pageSize,
    /** Where the page begins; undefined: at the start. */
    from: openCursor<{ after: string }>(record, question, pageToken)?.after,
    /** Null exactly at the end. */
    tokenFor: (next: string | undefined) => (next === undefined ? null : sealCursor(record, question, { after: next })),
  };
}
