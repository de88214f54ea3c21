// Deletes items of feature data as read. An item that has changed since then stays: the next pass finds it again.
import { commitEach } from "../jobs/commit.ts";
import * as Feature from "../store/feature.ts";
import * as FeatureList from "../store/feature-list.ts";
import type { WorkspaceRef } from "../store/refs.ts";

export async function removeFeatures(ref: WorkspaceRef, items: readonly Feature.StoredFeature[]): Promise<void> {
  // It changes the item. The deletion then fails, and the next pass repeats it.
  for (const item of items) if (item.hasFormer) await Feature.deleteFormerEntries(ref, item);
  const ids = await Promise.all(
    items.map((item) => FeatureList.placesOf({ ...ref, documentUid: item.documentUid }, [item])),
  );
  await commitEach(items.map((item, index) => ({ writes: Feature.removal(ref, item, ids[index]?.[0]) })));
}
