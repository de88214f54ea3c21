// Reads the content of an editor: its parts and the updates that are not merged yet. A merge first writes new parts,
// then switches the editor to them, then deletes the former parts and the updates. So the updates that are read between
// two reads of the editor are complete if both reads show the same `base`. Parts never change, so they are complete if
// none is missing.
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import { type Editor, type EditorRef, editorContentEntity, get, partKeys, type StatePart } from "./crdt.ts";
import * as Updates from "./crdt-updates.ts";

export interface EditorContentAsRead {
  editor: Editor;
  /** Yjs updates. Together, in any order, they are the content. */
  updates: Uint8Array[];
}

/** Undefined when there is no such editor, or when a purge has deleted a part of its content. */
export async function read(ref: EditorRef): Promise<EditorContentAsRead | undefined> {
  return retryOnConflict("editor", async () => {
    const editor = await get(ref);
    if (!editor) return undefined;
    const updates = await Updates.all({ ...ref, generation: editor.generation });
    const keys = [editorContentEntity.key(ref), ...partKeys(ref, editor)];
    const [now, ...parts] = await Table.getMany<Editor & StatePart>(keys);
    if (!isAsRead(editor, now)) return conflict;
    const found = parts.filter((part) => part !== undefined);
    // One request is not one point in time: it can read the editor before a switch, and the parts after their deletion.
    if (found.length < parts.length) return isAsRead(editor, await get(ref)) ? undefined : conflict;
    const ofParts = Buffer.concat(found.map(({ state }) => state));
    const all = [ofParts, ...updates.map(({ bytes }) => bytes)];
    return { editor, updates: all.filter((each) => each.byteLength > 0) };
  });
}

const isAsRead = (editor: Editor, now: Editor | undefined) =>
  now?.base === editor.base && now?.generation === editor.generation && now?.createdAt === editor.createdAt;
