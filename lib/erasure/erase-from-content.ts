// Erases users from content: their own content, and their names in content of other people.
import { randomUUID } from "node:crypto";
import { descendantsOf, emptyRange } from "../deletion/purge.ts";
import { redacted } from "../deletion/redact.ts";
import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import { hasEnded } from "../retention.ts";
import { participantsOf } from "../schema/participants.ts";
import { locationNodeEntity } from "../store/content/location.ts";
import * as Feature from "../store/features/feature.ts";
import * as FeatureList from "../store/features/feature-list.ts";
import { participationEntity } from "../store/features/participation.ts";
import { isOnlyFor, notificationEntity } from "../store/notifications/notification.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted, removeCounted } from "./counted.ts";
import { itemsWithoutSteps } from "./steps.ts";

type FeatureItem = Item & Feature.StoredFeature;

/** Deletes the content that the users wrote, and notifications to them alone. Rewrites the content of others that names them. */
export async function eraseFromContent(context: Context, items: readonly Item[]): Promise<Step[]> {
  const { workspace, users } = context;
  const own = items.filter((item) => users.has(authorOf(item) ?? ""));
  await commitCounted(context, "removed", await featureRemovals({ workspace }, own as FeatureItem[]));
  const onlyForUsers = items.filter((item) => isForNobodyElse(item, users));
  for (const { pk, sk } of onlyForUsers) {
    await emptyRange({ workspace }, { pk, between: [sk, sk] }, Number.POSITIVE_INFINITY, (some) =>
      removeCounted(context, some),
    );
  }
  const others = items.filter((item) => !own.includes(item) && !onlyForUsers.includes(item));
  const rewrites = others.map((item) => ({ item, writes: rewriteWithoutUsers({ workspace }, item, users) }));
  await commitCounted(
    context,
    "redacted",
    rewrites.filter(({ writes }) => writes.length > 0),
  );
  const leading = others.filter(
    ({ entity }) => entity === locationNodeEntity.name || entity === notificationEntity.name,
  );
  return leading.flatMap((item) =>
    descendantsOf(workspace, item).partitions.map((pk) => ({ pk, limit: itemsWithoutSteps })),
  );
}

/**
 * Whether an item is a notification to the users alone. Of an ended one, its pointer can be another notification's by
 * now, so it is rewritten as others are.
 */
const isForNobodyElse = (item: Item & { content?: string; ttl?: number }, users: ReadonlySet<string>) =>
  item.entity === notificationEntity.name && !hasEnded(item) && isOnlyFor(item.content ?? "", users);

/** The author of feature data; undefined for other items. */
function authorOf({ record }: Item & { record?: string }): string | undefined {
  return record === undefined ? undefined : JSON.parse(record).from?.userId;
}

/** The writes that delete each of the items. */
async function featureRemovals(
  ref: WorkspaceRef,
  items: readonly FeatureItem[],
): Promise<{ item: FeatureItem; writes: Write[] }[]> {
  // This changes the item. So the deletion fails, and the next pass repeats it.
  for (const item of items) if (item.hasFormer) await Feature.deleteFormerEntries(ref, item);
  const ids = await Promise.all(
    items.map((item) => FeatureList.placesOf({ ...ref, documentUid: item.documentUid }, [item])),
  );
  return items.map((item, index) => ({ item, writes: Feature.removal(ref, item, ids[index]?.[0]) }));
}

/** Attributes that hold JSON. */
const jsonAttributes = ["record", "content", "location", "metadata", "properties"];

/**
 * The writes that remove the users from another user's item; none when the item does not name them. A condition fails
 * when the item has changed since it was read. Then the next pass finds the item again.
 */
function rewriteWithoutUsers(workspace: WorkspaceRef, { pk, sk, ...item }: Item, users: ReadonlySet<string>): Write[] {
  const before = item as Record<string, unknown>;
  const changedIn = (after: object) =>
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
  const after = Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      if (!jsonAttributes.includes(name) || typeof value !== "string") return [name, redacted(value, users, name)];
      return [name, JSON.stringify(redacted(JSON.parse(value), users, name))];
    }),
  );
  if (changedIn(after).length === 0) return [];
  const isFeature = item.entity === Feature.featureEntity.name;
  const changed = changedIn(isFeature ? withPeople(after as unknown as Feature.StoredFeature) : after);
  const unchanged = Object.fromEntries(changed.map(([name]) => [name, before[name]]));
  const { rev } = before;
  // A call that has read the item before must not write its former content back.
  const set = { ...Object.fromEntries(changed), ...(rev !== undefined && { rev: randomUUID() }) };
  const write = { update: { pk, sk }, set, if: { ...unchanged, rev: rev as string | undefined } };
  if (!isFeature) return [write];
  const feature = { ...before, ...set } as unknown as Feature.StoredFeature;
  const former = (before.participants as string[]).filter((each) => !feature.participants.includes(each));
  return [
    write,
    FeatureList.featureEntryEntity.put({ ...workspace, ...feature }, FeatureList.entryOf(feature)),
    // The entries of the erased users are removed, and counted, with their other data.
    ...former
      .filter((userId) => !users.has(userId))
      .map((userId) => participationEntity.delete({ ...workspace, ...feature, userId })),
  ];
}

/** Somebody whom only a removed reply mentioned takes part no more. */
function withPeople(feature: Feature.StoredFeature): Feature.StoredFeature {
  const people = new Set<string>(participantsOf[feature.kind](JSON.parse(feature.record)));
  return { ...feature, participants: feature.participants.filter((each) => people.has(each)) };
}
