// What must go before an item does: the entity that the item names says it.
import type { Item } from "../dynamodb/key.ts";
import type { Descendants } from "../store/descendants.ts";
import { entities } from "../store/entities.ts";

const byName = new Map(entities.map((entity) => [entity.name, entity]));

/** The descendants of an item as read. Throws for an item of an unknown entity: skipping it could leave data behind. */
export function descendantsOf(workspace: string, item: Item): Required<Descendants> {
  const entity = byName.get(String(item.entity));
  if (!entity) throw new Error(`The item ${item.pk} ${item.sk} names no known entity: ${String(item.entity)}.`);
  return { partitions: [], items: [], conditional: [], ...entity.descendantsOf({ ...item, workspace }) };
}
