// A made-up migration from format 1 to 2: a document's `documentName` becomes `names`, and the grant of a document moves
// to another key.
import type { Item } from "../../lib/dynamodb/key.ts";
import type { Formats } from "../../lib/format/formats.ts";
import { migrateItems } from "../../lib/format/migrate-items.ts";
import type { ItemMigration } from "../../lib/format/migrated.ts";
import type { MigrateOptions } from "../../lib/format/options.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import * as Format from "../../lib/store/format.ts";
import { newTableInMemory } from "./engine/in-memory.ts";
import { allItems } from "./scan.ts";

export const migrations: ItemMigration[] = [
  {
    to: 2,
    entity: "document",
    migrate: ({ documentName, ...item }) => [documentName === undefined ? item : { ...item, names: [documentName] }],
  },
  {
    to: 2,
    entity: "document-grant",
    migrate: (item) => [item.sk.startsWith("NEW#") ? item : { ...item, sk: `NEW#${item.sk}` }],
    merge: (moved) => moved,
  },
];
export const reads = (oldestRead: number, newestRead: number, written: number): Formats => ({
  oldestRead,
  newestRead,
  written,
});
export const second = reads(1, 2, 2);
export const documentsCount = 6;
export const table: Item[] = Array.from({ length: documentsCount }, (_, index) => [
  { pk: `W#w#D#${index}`, sk: "PTR", entity: "document", documentName: `name ${index}`, revision: index },
  { pk: `W#w#X#${index}`, sk: "GRANT#u", entity: "document-grant", accessRole: "editor" },
  { pk: `W#w#X#${index}`, sk: "PRESENCE#u", entity: "presence" },
]).flat();
export const end: Item[] = Array.from({ length: documentsCount }, (_, index) => [
  { pk: `W#w#D#${index}`, sk: "PTR", entity: "document", names: [`name ${index}`], revision: index },
  { pk: `W#w#X#${index}`, sk: "NEW#GRANT#u", entity: "document-grant", accessRole: "editor" },
  { pk: `W#w#X#${index}`, sk: "PRESENCE#u", entity: "presence" },
]).flat();
export const format2 = { pk: "FORMAT", sk: "FORMAT", entity: "format", version: 2 };
export const sorted = (items: Item[]) =>
  items.toSorted((one, other) => (one.pk + one.sk < other.pk + other.sk ? -1 : 1));

export async function oldTable(): Promise<void> {
  newTableInMemory();
  await Format.requireFormat(reads(1, 1, 1));
  await commitEach(table.map((put) => ({ writes: [{ put }] })));
}

export const run = (more: Partial<MigrateOptions> = {}) =>
  migrateItems({ code: second, migrations, segments: 2, itemsPerPage: 5, ...more });
export const deployed = (formats: Formats, id = "deployment") => ({
  deployed: { formats, id, isCurrent: async () => true },
});
export const dataOf = async () => sorted((await allItems()).filter(({ pk }) => pk !== "FORMAT"));

export function once<T>(work: () => Promise<T>): () => Promise<T | undefined> {
  let isDone = false;
  return async () => {
    if (isDone) return undefined;
    isDone = true;
    return work();
  };
}
