import { randomUUID } from "node:crypto";
import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import { featureEntity, type StoredFeature } from "../store/features/feature.ts";
import { entryOf, featureEntryEntity } from "../store/features/feature-list.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { redacted } from "./redact.ts";

/** Attributes that hold JSON. */
const jsonAttributes = ["record", "content"];

/**
 * The writes that remove the users from another user's item; none when the item does not name them. A condition fails
 * when the item has changed since it was read. The next pass then finds the item again.
 */
export function rewriteWithoutUsers(
  workspace: WorkspaceRef,
  { pk, sk, ...item }: Item,
  users: ReadonlySet<string>,
): Write[] {
  const before = item as Record<string, unknown>;
  const after = Object.entries(before).map(([name, value]) => {
    if (!jsonAttributes.includes(name)) return [name, redacted(value, users, name)] as const;
    return [name, JSON.stringify(redacted(JSON.parse(value as string), users, name))] as const;
  });
  const changed = after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
  if (changed.length === 0) return [];
  const unchanged = Object.fromEntries(changed.map(([name]) => [name, before[name]]));
  const write = { update: { pk, sk }, set: Object.fromEntries(changed), if: unchanged };
  if (item.entity !== featureEntity.name) return [write];
  const feature = { ...before, ...write.set } as unknown as StoredFeature;
  return [
    // A call that has read the item before must not write its former content back.
    { ...write, set: { ...write.set, rev: randomUUID() }, if: { ...unchanged, rev: feature.rev } },
    featureEntryEntity.put({ ...workspace, ...feature }, entryOf(feature)),
  ];
}
