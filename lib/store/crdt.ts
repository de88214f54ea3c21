// An editor's content: a Yjs update in one item. A larger one is in several items, written in one transaction.
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import type { EditorType } from "../schema/crdt.ts";
import { type DocumentDataRef, documentDataPartition } from "./refs.ts";

export interface EditorState {
  type: EditorType;
  contentKey: string;
  /** The Yjs update. */
  state: Uint8Array;
}

export interface EditorRef extends DocumentDataRef {
  editorId: string;
}

type StoredEditor = EditorState & { editorId: string; partCount: number; createdAt: string };

export const editorContentEntity = entity<StoredEditor>()({
  name: "editor-content",
  attributes: { editorId: true, type: true, contentKey: true, partCount: true, createdAt: true, state: true },
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "CRDT#",
  sk: ({ editorId }: { editorId: string }) => segment(editorId),
});

export const editorContentPartEntity = entity<Pick<EditorState, "state">>()({
  name: "editor-content-part",
  attributes: { state: true },
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "CRDT#",
  sk: ({ editorId, part }: { editorId: string; part: number }) => `${segment(editorId)}#${part}`,
});

/** An item has at most 400 KB, including its key and the names of attributes. */
const pieceBytesMax = 350_000;

/** The writes that store the content, in one transaction. The first one's condition fails if the editor has content. */
export function creation(ref: EditorRef, { state, type, contentKey }: EditorState): Write[] {
  const { editorId } = ref;
  const partCount = Math.max(0, Math.ceil(state.byteLength / pieceBytesMax) - 1);
  const piece = (index: number) => state.subarray(index * pieceBytesMax, (index + 1) * pieceBytesMax);
  const first = { editorId, type, contentKey, partCount, createdAt: new Date().toISOString(), state: piece(0) };
  return [
    editorContentEntity.put(ref, first, "absent"),
    ...partsOf(partCount).map((part) => editorContentPartEntity.put({ ...ref, part }, { state: piece(part) })),
  ];
}

/** The editor's content; undefined when it has none. */
export async function get(ref: EditorRef): Promise<EditorState | undefined> {
  const first = await Table.get<StoredEditor>(editorContentEntity.key(ref));
  if (!first) return undefined;
  const keys = partsOf(first.partCount).map((part) => editorContentPartEntity.key({ ...ref, part }));
  const parts = await Table.getMany<Pick<EditorState, "state">>(keys);
  const pieces = [first, ...parts].filter((each) => each !== undefined);
  // Parts are written with the first item and never changed: when one is missing, the document is being purged.
  if (pieces.length <= parts.length) return undefined;
  const { type, contentKey } = first;
  return { type, contentKey, state: Buffer.concat(pieces.map(({ state }) => state)) };
}

const partsOf = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
