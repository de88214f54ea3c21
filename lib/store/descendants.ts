// The items that a purge must delete before an item, so that nothing is orphaned.
import type { Key } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";

export interface Descendants {
  /** Partitions to empty, with the descendants of their items. */
  partitions?: string[];
  /** Keys of single items. */
  items?: Key[];
  /** Deletions with a condition: another item can use the key by now. */
  conditional?: Write[];
}
