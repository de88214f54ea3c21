// Deletes items of feature data as read. An item that has changed since then stays: the next pass finds it again.
import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import * as Feature from "../store/features/feature.ts";
import * as FeatureList from "../store/features/feature-list.ts";
import type { WorkspaceRef } from "../store/refs.ts";

type FeatureItem = Item & Feature.StoredFeature;

/** The writes that delete each of the items. */
export async function featureRemovals(
  ref: WorkspaceRef,
  items: readonly FeatureItem[],
): Promise<{ item: FeatureItem; writes: Write[] }[]> {
  // It changes the item. The deletion then fails, and the next pass repeats it.
  for (const item of items) if (item.hasFormer) await Feature.deleteFormerEntries(ref, item);
  const ids = await Promise.all(
    items.map((item) => FeatureList.placesOf({ ...ref, documentUid: item.documentUid }, [item])),
  );
  return items.map((item, index) => ({ item, writes: Feature.removal(ref, item, ids[index]?.[0]) }));
}
