import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import { redacted } from "./redact.ts";

/** Attributes that hold JSON. */
const jsonAttributes = ["record", "content"];

/**
 * The write that removes the user from another user's item; none when the item does not name the user. The condition
 * fails when the item has changed since it was read. The next pass then finds the item again.
 */
export function rewriteWithoutUser({ pk, sk, ...item }: Item, userId: string): Write[] {
  const before = item as Record<string, unknown>;
  const after = Object.entries(before).map(([name, value]) => {
    if (!jsonAttributes.includes(name)) return [name, redacted(value, userId, name)] as const;
    return [name, JSON.stringify(redacted(JSON.parse(value as string), userId, name))] as const;
  });
  const changed = after.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]));
  if (changed.length === 0) return [];
  const unchanged = Object.fromEntries(changed.map(([name]) => [name, before[name]]));
  return [{ update: { pk, sk }, set: Object.fromEntries(changed), if: unchanged }];
}
