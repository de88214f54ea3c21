// What must be removed before an item is, so that nothing stays to which no key leads.
import type { Key } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";

export interface Descendants {
  /** Partitions to empty, with the descendants of their items. */
  partitions?: string[];
  /** Keys of single items. */
  items?: Key[];
  /** Deletions with a condition: by now the item can belong to something else. */
  conditional?: Write[];
}
