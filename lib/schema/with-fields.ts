/** The item with these fields. Null removes a field, and undefined leaves it as it is. */
export function withFields<Item extends object>(
  item: Item,
  fields: { [Name in keyof Item]?: Item[Name] | null | undefined },
): Item {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const removed = new Set(given.filter(([, value]) => value === null).map(([name]) => name));
  return Object.fromEntries(
    Object.entries({ ...item, ...Object.fromEntries(given) }).filter(([name]) => !removed.has(name)),
  ) as Item;
}
