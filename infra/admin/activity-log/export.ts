// Exports the activity log of an organization as JSON lines.
import { chunks } from "../../../lib/concurrency.ts";
import type { StoredActivity } from "../../../lib/store/activity/activity.ts";
import * as Activity from "../../../lib/store/activity/activity.ts";
import {
  type ChainRecord,
  type ContentPart,
  hashOfText,
  type Texts,
} from "../../../lib/store/activity/activity-chain.ts";
import * as Home from "../../../lib/store/activity/activity-home.ts";
import type { OrganizationRef } from "../../../lib/store/refs.ts";
import { lineOf } from "./exported.ts";

/** The log was deleted while it was read. */
export class LogGoneError extends Error {}

/**
 * The lines of all records up to this head, page by page. The writer only appends, so the records up to the head do not
 * change meanwhile. A text can be removed meanwhile. Throws a `LogGoneError` if records are missing.
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

/** Activities that are read together, with up to 400 KB each. */
const readTogether = 50;

/**
 * Returns the records with their texts. activities/update adds a record without texts, and stores the texts at the
 * activity that it changes. Texts that were removed or replaced later are missing.
 */
async function withTextsOfUpdates(
  organization: OrganizationRef,
  page: readonly StoredActivity[],
): Promise<StoredActivity[]> {
  const found = new Map<number, string>();
  const updates = page
    .map(({ record }) => JSON.parse(record) as ChainRecord)
    .filter(({ eventType, target }) => {
      return target !== undefined && eventType === "activity.update";
    });
  for (const some of chunks(updates, readTogether)) {
    const ids = [...new Set(some.map(({ target }) => target as string))];
    const { homes } = await Home.find(organization, ids);
    const presentOf = new Map(homes.map((home, index) => [ids[index], JSON.parse(home?.present ?? "{}") as Texts]));
    for (const { sequence, target, content } of some) {
      const own = Object.entries(presentOf.get(target) ?? {}).filter(
        ([part, text]) => hashOfText(text) === content[part as ContentPart],
      );
      if (own.length > 0) found.set(sequence, JSON.stringify(Object.fromEntries(own)));
    }
  }
  return page.map((each) => ({ ...each, texts: found.get(each.sequence) ?? each.texts }));
}
