// Updates of editors that are not merged into the content yet. Each is an item of its own, so the cost of an update does
// not depend on the size of the content (DECISIONS.md#crdt-updates).
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import { tryUpdate } from "../../dynamodb/try-update.ts";
import { anyValue, atMost, type Write } from "../../dynamodb/write.ts";
import { newId } from "../../new-id.ts";
import { type Editor, type EditorLifeRef, type EditorRef, editorContentEntity, editorPartition } from "./crdt.ts";

export interface EditorUpdate {
  /** The Yjs update. */
  bytes: Uint8Array;
  /** Ms since the epoch, by the clock of the call. */
  at: number;
}

export const editorUpdateEntity = entity<EditorUpdate>()({
  name: "editor-update",
  attributes: { bytes: true, at: true },
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
