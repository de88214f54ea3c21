// Exports the activity log of an organization as JSON lines.
import * as Activity from "../store/activity/activity.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { lineOf } from "./exported.ts";
import { withTextsOfUpdates } from "./texts-of-updates.ts";

/** The log was deleted while it was read. */
export class LogGoneError extends Error {}

/**
 * The lines of all records up to this head, page by page. The writer only appends, so the log at this head does not
 * change meanwhile; a text can be removed. Throws a `LogGoneError` if records are missing.
 */
export async function* exportedLines(
  organization: OrganizationRef,
  { sequence, hash }: Activity.ChainHead,
): AsyncGenerator<string> {
  let [count, last] = [0, ""];
  for await (const page of Activity.pages(organization, sequence)) {
    count += page.length;
    last = page.at(-1)?.hash ?? last;
    yield (await withTextsOfUpdates(organization, page)).map(lineOf).join("");
  }
  if (count !== sequence || last !== hash) throw new LogGoneError("The log was deleted while it was exported.");
}
