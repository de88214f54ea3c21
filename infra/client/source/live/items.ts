// Items as they are shown: the same object while nothing has changed.
import type { Item } from "./writes.ts";

/** The fields after a change, as the service merges them: null removes one, and `metadata` is merged by key. */
export function merged(old: Item, update: Item): Item {
  const entries = Object.entries(update).map(([name, value]) => {
    const isMerged = name === "metadata" && value !== null;
    return [name, isMerged ? merged(old.metadata ?? {}, value) : value];
  });
  return Object.fromEntries(
    Object.entries({ ...old, ...Object.fromEntries(entries) }).filter(([, value]) => value !== null),
  );
}

/** The former value, if it is the same: who compares by identity then sees that nothing has changed. */
export function kept<Value>(old: Value | undefined, value: Value): Value {
  return old !== undefined && (old === value || JSON.stringify(old) === JSON.stringify(value)) ? old : value;
}

/** The same for a list, and for each of its entries. */
export function listed(old: readonly Item[] | undefined, items: readonly Item[]): readonly Item[] {
  const list = items.map((item, index) => kept(old?.[index], item));
  return old?.length === list.length && list.every((item, index) => item === old[index]) ? old : list;
}
