// The reads and writes of a merge. Each merge writes parts with a new name (`base`), so a merge that continues after
// another one has taken over changes nothing that a reader sees.
import { deleteAll, putAll } from "../../dynamodb/batch-write.ts";
import type { Item, Key } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAlone } from "../../dynamodb/write-alone.ts";
import {
  asRead,
  type Editor,
  type EditorLifeRef,
  editorContentEntity,
  editorStatePartEntity,
  partsOf,
  type StatePart,
} from "./crdt.ts";
import { type EditorUpdate, editorUpdateEntity } from "./crdt-updates.ts";

/** Most updates of one merge. */
const updatesMax = 5_000;

export interface Mergeable {
  /** Undefined: a part is missing. */
  state: Uint8Array | undefined;
  updates: (EditorUpdate & Item)[];
  /** Whether there are more updates. */
  isPartial: boolean;
  /** Parts that become useless when the editor is switched to the merged content. */
  former: Key[];
  /** If the editor still has this `base` after the read: parts to which it can no longer be switched. */
  leftover: Key[];
}

export async function read(life: EditorLifeRef, editor: Editor): Promise<Mergeable> {
  const parts = await Table.every<Item & StatePart>(editorStatePartEntity.range(life));
  const updates: Mergeable["updates"] = [];
  let isPartial = false;
  for await (const page of Table.all<EditorUpdate & Item>(editorUpdateEntity.range(life))) {
    updates.push(...page);
    isPartial = updates.length > updatesMax;
    if (isPartial) break;
  }
  updates.sort((one, other) => one.at - other.at);
  const own = parts.filter(({ base }) => base === editor.base);
  const others = parts.filter(({ base }) => base !== editor.base);
  const unswitched = others.filter(({ from }) => from === editor.base);
  return {
    state: own.length === editor.partCount ? Buffer.concat(own.map(({ state }) => state)) : undefined,
    updates: updates.slice(0, updatesMax),
    isPartial,
    former: [...own, ...unswitched],
    leftover: others.filter((part) => !unswitched.includes(part)),
  };
}

const bytesIn = (updates: Mergeable["updates"]) => updates.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);

/** Deletes items that no reader can need. */
export async function remove(keys: readonly Key[]): Promise<void> {
  await deleteAll(keys);
}

/**
 * Replaces the content that was read, and the updates, by the content with these updates. Returns false when another
 * merge or a deletion was faster. `base`: a new id.
 */
export async function replace(
  life: EditorLifeRef,
  editor: Editor,
  { state, base, updates }: { state: Uint8Array; base: string; updates: Mergeable["updates"] },
): Promise<boolean> {
  const parts = partsOf(life, state, { base, from: editor.base });
  await putAll(parts);
  const { sizeBytes: before, usedBytes, waiting } = editor;
  // Never more than was reserved: if a merge dies before it deletes its updates, they are merged again.
  const merged = Math.min(bytesIn(updates), Math.max(0, usedBytes - before));
  const add = {
    usedBytes: state.byteLength - before - merged,
    waiting: -Math.min(updates.length, Math.max(0, waiting)),
  };
  const set = { base, partCount: parts.length, sizeBytes: state.byteLength };
  const switching = editorContentEntity.update(life, { set }, asRead(editor));
  const isSwitched = await writeAlone<Editor>({ ...switching, add }, (stored) => stored.base === base);
  if (!isSwitched) await deleteAll(parts.map(({ put }) => put));
  return isSwitched;
}

/** Sets the counters by the stored updates. Returns false after a reservation or a merge since `editor` was read. */
export async function recount(life: EditorLifeRef, editor: Editor, updates: Mergeable["updates"]): Promise<boolean> {
  const usedBytes = editor.sizeBytes + bytesIn(updates);
  const { updatedAt } = editor;
  const unchanged = { ...asRead(editor), updatedAt, usedBytes: editor.usedBytes, waiting: editor.waiting };
  const set = { usedBytes, waiting: updates.length };
  const write = editorContentEntity.update(life, { set }, unchanged);
  return writeAlone<Editor>(write, (stored) => stored.usedBytes === usedBytes && stored.waiting === updates.length);
}
