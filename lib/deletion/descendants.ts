// Finds the descendants of an item through its entity.
import type { Item } from "../dynamodb/key.ts";
import type { Descendants } from "../store/descendants.ts";
import { entities } from "../store/entities.ts";

const byName = new Map(entities.map((entity) => [entity.name, entity]));

/** The descendants of an item as read. Throws for an unknown entity: its descendants would be orphaned. */
export function descendantsOf(workspace: string, item: Item): Required<Descendants> {
  const entity = byName.get(String(item.entity));
  if (!entity) throw new Error(`The item ${item.pk} ${item.sk} names no known entity: ${String(item.entity)}.`);
  return { partitions: [], items: [], conditional: [], ...entity.descendantsOf({ ...item, workspace }) };
}
