// Where a paged call begins and how it hands out the next token.

import type { Position } from "../dynamodb/sharded-page.ts";
import { openCursor, sealCursor } from "./cursor.ts";
import type { Caller } from "./endpoint.ts";

const sizeDefault = 100;

/** `question` names the list and everything that decides what is in it; a token of another question is refused. */
export function listing(
  { record }: Caller,
  question: readonly string[],
  { pageSize = sizeDefault, pageToken }: { pageSize?: number | undefined; pageToken?: string | undefined },
) {
  const from = openCursor<Position>(record, question, pageToken);
  return {
    size: pageSize,
    from,
    /** Null exactly at the end. */
    tokenFor: (next: Position | undefined) => (next ? sealCursor(record, question, next) : null),
  };
}
