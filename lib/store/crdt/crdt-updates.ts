// Updates of editors that are not merged into the content yet. Each is an item of its own, so the cost of an update does
// not depend on the size of the content (DECISIONS.md#crdt-updates).
import { entity } from "../../dynamodb/entity.ts";
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import { tryUpdate } from "../../dynamodb/try-update.ts";
import { anyValue, atMost, type Write } from "../../dynamodb/write.ts";
import { newId } from "../../new-id.ts";
import {
  type Editor,
  type EditorLifeRef,
  type EditorRef,
  editorContentEntity,
  editorPartition,
  get,
  partKeys,
  type StatePart,
} from "./crdt.ts";

export interface EditorUpdate {
  /** The Yjs update. */
  bytes: Uint8Array;
  /** Ms since the epoch, by the clock of the call. */
  at: number;
}

export const editorUpdateEntity = entity<EditorUpdate>()({
  name: "editor-update",
  attributes: ["bytes", "at"],
  pk: editorPartition,
  prefix: "UPDATE#",
  sk: ({ updateId }: { updateId: string }) => updateId,
});

/** Bytes of an editor's content and of its updates. */
export const editorBytesMax = 3.5 * 1_024 * 1_024;

/**
 * Reserves room for an update. Returns the editor after it; undefined when the editor is missing, is full or differs
 * from `expected`. A repeat after a lost reply reserves twice, which the next merge corrects.
 */
export async function reserve(
  ref: EditorRef,
  bytes: number,
  expected: { [Name in "type" | "contentKey" | "generation"]?: Editor[Name] | undefined },
): Promise<Editor | undefined> {
  const set = { updatedAt: new Date().toISOString() };
  const condition = { editorId: anyValue, usedBytes: atMost(editorBytesMax - bytes), ...expected };
  const write = { ...editorContentEntity.update(ref, { set }, condition), add: { usedBytes: bytes, waiting: 1 } };
  return tryUpdate<Editor>(write, { isRepeatable: true });
}

/** The write that appends an update, after its reservation. */
export function appending(life: EditorLifeRef, update: Uint8Array) {
  return editorUpdateEntity.put({ ...life, updateId: newId() }, { bytes: update, at: Date.now() });
}

/** The write that lets changes before `until` cause no event. Its condition fails when another call has written one. */
export function quieting(ref: EditorRef, { generation, eventUntil }: Editor, until: number): Write {
  return editorContentEntity.update(
    ref,
    { set: { eventUntil: until } },
    { editorId: anyValue, generation, eventUntil },
  );
}

/** All updates of the editor that are not merged. A merged one can still be among them. */
export async function all(life: EditorLifeRef): Promise<EditorUpdate[]> {
  return Table.every<EditorUpdate>(editorUpdateEntity.range(life));
}

export interface EditorContentAsRead {
  editor: Editor;
  /** Yjs updates. Together, in any order, they are the content. */
  updates: Uint8Array[];
}

/**
 * Reads the content of an editor: its parts and the updates that are not merged yet. Undefined when there is no such
 * editor, or when a purge has deleted a part of its content.
 *
 * A merge first writes new parts, then switches the editor to them, then deletes the former parts and the updates. So
 * the updates that are read between two reads of the editor are complete if both reads show the same `base`. Parts never
 * change, so they are complete if none is missing.
 */
export async function read(ref: EditorRef): Promise<EditorContentAsRead | undefined> {
  return retryOnConflict("editor", async () => {
    const editor = await get(ref);
    if (!editor) return undefined;
    const updates = await all({ ...ref, generation: editor.generation });
    const keys = [editorContentEntity.key(ref), ...partKeys(ref, editor)];
    const [now, ...parts] = await Table.getMany<Editor & StatePart>(keys);
    if (!isAsRead(editor, now)) return conflict;
    const found = parts.filter((part) => part !== undefined);
    // One request is not one point in time: it can read the editor before a switch, and the parts after their deletion.
    if (found.length < parts.length) return isAsRead(editor, await get(ref)) ? undefined : conflict;
    const ofParts = Buffer.concat(found.map(({ state }) => state));
    const stored = [ofParts, ...updates.map(({ bytes }) => bytes)];
    return { editor, updates: stored.filter((each) => each.byteLength > 0) };
  });
}

const isAsRead = (editor: Editor, now: Editor | undefined) =>
  now?.base === editor.base && now?.generation === editor.generation && now?.createdAt === editor.createdAt;
