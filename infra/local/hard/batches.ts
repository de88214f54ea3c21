// Batches of which a part is left unprocessed.
import type { Draw } from "./chance.ts";
import { type Attributes, type Input, nameOfWrite, type WriteRequest } from "./requests.ts";

/** The requests or keys of one table. */
interface Part<T> {
  table: string;
  entry: T;
}

interface KeysAndOptions {
  Keys: Attributes[];
}

/** Tells which entries are left: about half of them in `share` of the batches, but never all. */
export function leftover(count: number, share: number, draw: Draw): boolean[] {
  const isPartial = count > 1 && draw("partial") < share;
  const left = Array.from({ length: count }, (_, index) => isPartial && draw(`entry ${index}`) < 0.5);
  if (left.every(Boolean)) left[0] = false;
  return left;
}

export function writesOf({ RequestItems = {} }: Input): { name: string; part: Part<WriteRequest> }[] {
  return Object.entries(RequestItems as Record<string, WriteRequest[]>).flatMap(([table, requests]) =>
    requests.map((entry) => ({ name: nameOfWrite(table, entry), part: { table, entry } })),
  );
}

export function keysOf({ RequestItems = {} }: Input): Part<Attributes>[] {
  return Object.entries(RequestItems as Record<string, KeysAndOptions>).flatMap(([table, { Keys }]) =>
    Keys.map((entry) => ({ table, entry })),
  );
}

/** The entries as `RequestItems` of BatchWriteItem. */
export function asWrites(parts: readonly Part<WriteRequest>[]): Record<string, WriteRequest[]> {
  return byTable(parts);
}

/** The keys as `RequestItems` of BatchGetItem, with the options of the request. */
export function asKeys({ RequestItems = {} }: Input, parts: readonly Part<Attributes>[]) {
  const entries = Object.entries(byTable(parts)).map(([table, Keys]) => [table, { ...RequestItems[table], Keys }]);
  return Object.fromEntries(entries) as Record<string, KeysAndOptions>;
}

function byTable<T>(parts: readonly Part<T>[]): Record<string, T[]> {
  const tables: Record<string, T[]> = {};
  for (const { table, entry } of parts) {
    tables[table] ??= [];
    tables[table].push(entry);
  }
  return tables;
}
