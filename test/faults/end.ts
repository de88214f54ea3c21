import type { Item } from "../../lib/dynamodb/key.ts";
import { itemsOf } from "../support/scan.ts";

/** The items of the workspace in the final state, without times and random values. */
export async function endOf(workspace: string): Promise<string[]> {
  // A run that is repeated can take another slot. A slot that was released is as free as one that was never held.
  const isFreeSlot = ({ entity, until }: Item) => entity === "waiting-slot" && until === 0;
  const items = (await itemsOf(workspace)).filter((item) => !isFreeSlot(item));
  const shown = items.map((item) => plain(item).replaceAll(workspace, "w"));
  // Two purge jobs for the same data are harmless. No other item may be there twice.
  return shown.filter((each, index) => !each.startsWith("purge") || shown.indexOf(each) === index).sort();
}

function plain(item: Item): string {
  if (item.pk.startsWith("JOB#")) return `${item.kind} ${item.state}`;
  // Keys and receipts have random values, also in their keys.
  if (/^(?:records-key|public-records-key)$/.test(String(item.entity))) return String(item.entity);
  if (item.entity === "receipt") return `receipt ${countsIn(String(item.jws))}`;
  const changing =
    /^(?:at|rev|since|organizationUid|apiKey|cursorSecret|sealed|version|ttl|vendorCalls|generationSince|\w+Sealed|(?:lastAttempt|created|updated|switched|started|revoked)At)$/;
  // What is left of a deleted folder has a random internal id.
  if (item.entity === "folder" && item.createdAt === undefined) return `no folder ${item.folderId}`;
  const fields = Object.entries(item).filter(([name]) => !changing.test(name));
  return JSON.stringify(Object.fromEntries(fields.sort()), (_, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  );
}

/** What a receipt of an erasure counts. */
function countsIn(jws: string): string {
  const { users, removed, redacted } = JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString());
  const sorted = (counts: object) => Object.entries(counts ?? {}).sort();
  return JSON.stringify([users?.length, sorted(removed), sorted(redacted)]);
}
