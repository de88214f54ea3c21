// Changes of three Yjs clients of one text.
import * as Y from "yjs";
import { updatesOf } from "./crdt.ts";
import fc from "./property.ts";

/** A change of one of three clients: it inserts text, deletes text, or loads what the others have. */
const change = fc.record({
  client: fc.nat(2),
  kind: fc.constantFrom("insert", "insert", "delete", "format", "load"),
  at: fc.nat(100),
  text: fc.string({ minLength: 1, maxLength: 5 }),
});
export const histories = fc.record({
  changes: fc.array(change, { maxLength: 40 }),
  order: fc.array(fc.nat()),
  pieces: fc.integer({ min: 1, max: 5 }),
});

/** Makes the changes. Returns all updates, in the order in which they were made. */
export function made(changes: { client: number; kind: string; at: number; text: string }[]): Uint8Array[] {
  const documents = [0, 1, 2].map(() => new Y.Doc());
  const updates: Uint8Array[] = [];
  const own = documents.map(updatesOf);
  for (const { client, kind, at, text } of changes) {
    const document = documents[client] as Y.Doc;
    const shared = document.getText("content");
    const place = shared.length === 0 ? 0 : at % shared.length;
    if (kind === "insert") shared.insert(place, text);
    if (kind === "delete" && shared.length > 0) shared.delete(place, 1);
    if (kind === "format" && shared.length > 0) shared.format(place, 1, { bold: true });
    if (kind === "load") for (const update of updates) Y.applyUpdate(document, update, "remote");
    updates.push(...(own[client] ?? []).splice(0));
  }
  return updates;
}
