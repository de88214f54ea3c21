import { metadataBytesMax } from "../schema/document.ts";

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

export type Metadata = Record<string, unknown>;

/**
 * The stored metadata of a document after a change. The change is merged by key: null removes a key, or all of them.
 * Undefined: the document has none. `isTooLarge`: the text has more than 8 KB.
 */
export function changedText(before: string | undefined, change: Metadata | null) {
  const all = change === null ? {} : withFields<Metadata>(JSON.parse(before ?? "{}"), change);
  const text = Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
  return { text, isTooLarge: Buffer.byteLength(text ?? "") > metadataBytesMax };
}
