// An editor's content: a Yjs update in one item, or in several that are written together where one cannot hold it.

import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import type { EditorType } from "../schema/crdt.ts";
import { dataKeys } from "./data-keys.ts";

export interface EditorState {
  type: EditorType;
  contentKey: string;
  /** The Yjs update. */
  state: Uint8Array;
}

/** An item can have 400 KB, with its names and keys. */
const pieceBytesMax = 350_000;

/** One transaction's writes; the first one's condition is lost where the editor has content. `uid` is the document's. */
export function creation(workspace: string, uid: string, editorId: string, { state, ...rest }: EditorState): Write[] {
  const partCount = Math.max(0, Math.ceil(state.byteLength / pieceBytesMax) - 1);
  const piece = (index: number) => state.subarray(index * pieceBytesMax, (index + 1) * pieceBytesMax);
  const createdAt = new Date().toISOString();
  const first = { ...dataKeys.crdt(workspace, uid, editorId), editorId, ...rest, partCount, createdAt };
  const parts = partKeys(workspace, uid, editorId, partCount);
  return [
    { put: { ...first, state: piece(0) }, if: "absent" },
    ...parts.map((key, index): Write => ({ put: { ...key, state: piece(index + 1) } })),
  ];
}

/** Undefined where the editor has none. */
export async function get(workspace: string, uid: string, editorId: string): Promise<EditorState | undefined> {
  const first = await Table.get<EditorState & { partCount: number }>(dataKeys.crdt(workspace, uid, editorId));
  if (!first) return undefined;
  const parts = await Table.getMany<{ state: Uint8Array }>(partKeys(workspace, uid, editorId, first.partCount));
  const pieces = [first, ...parts].filter((each) => each !== undefined);
  // Parts are written with the first and never changed: where one is missing, the document is being purged.
  if (pieces.length <= parts.length) return undefined;
  const { type, contentKey } = first;
  return { type, contentKey, state: Buffer.concat(pieces.map(({ state }) => state)) };
}

function partKeys(workspace: string, uid: string, editorId: string, count: number) {
  return Array.from({ length: count }, (_, index) => dataKeys.crdtPart(workspace, uid, editorId, index + 1));
}
