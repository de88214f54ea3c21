// Editors. The item of an editor is small: its type, its counters, and the name of its content. The content is a Yjs
// update in parts, and the updates that are not merged into it yet. Both are in the partition of the editor's
// generation (DECISIONS.md#crdt-updates).
import { randomUUID } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { type Key, segment } from "../../dynamodb/key.ts";
import type { Page } from "../../dynamodb/page.ts";
import { pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import type { EditorType } from "../../schema/crdt.ts";
import { type Descendants, type DocumentDataRef, documentDataPartition } from "../refs.ts";

export interface EditorRef extends DocumentDataRef {
  editorId: string;
}

/** One life of an editor. An editor that is deleted and added again has another generation. */
export interface EditorLifeRef extends EditorRef {
  generation: string;
}

export interface Editor {
  editorId: string;
  type: EditorType;
  contentKey: string;
  createdAt: string;
  updatedAt: string;
  generation: string;
  /** Names the parts of the content; each merge sets another one. */
  base: string;
  partCount: number;
  /** Bytes of the parts. */
  sizeBytes: number;
  /** Bytes of the parts, plus the bytes that were reserved for updates since. */
  usedBytes: number;
  /** The number of updates that were reserved and are not merged. */
  waiting: number;
  /** Changes before this time cause no event of their own. Ms since the epoch. */
  eventUntil?: number;
}

export const editorContentEntity = entity<Editor>()({
  name: "editor-content",
  attributes: [
    "editorId",
    "type",
    "contentKey",
    "createdAt",
    "updatedAt",
    "generation",
    "base",
    "partCount",
    "sizeBytes",
    "usedBytes",
    "waiting",
    "eventUntil",
  ],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "CRDT#",
  sk: ({ editorId }: { editorId: string }) => segment(editorId),
});

export const editorPartition = (ref: EditorLifeRef) => partitionIn(documentDataPartition(ref), ref);

const partitionIn = (document: string, { editorId, generation }: Pick<EditorLifeRef, "editorId" | "generation">) =>
  `${document}#E#${segment(editorId)}#${generation}`;

export interface StatePart {
  state: Uint8Array;
  base: string;
  /** The `base` from which a merge made this part. Absent in the parts that came with the editor. */
  from?: string | undefined;
}

export const editorStatePartEntity = entity<StatePart>()({
  name: "editor-state-part",
  attributes: ["state", "base", "from"],
  pk: editorPartition,
  prefix: "STATE#",
  sk: ({ base, part }: { base: string; part: number }) => `${base}#${String(part).padStart(3, "0")}`,
});

/** An item has at most 400 KB, including its key and the names of attributes. */
const pieceBytesMax = 350_000;

/** The puts of a content's parts. */
export function partsOf(life: EditorLifeRef, state: Uint8Array, { base, from }: Omit<StatePart, "state">) {
  const count = Math.ceil(state.byteLength / pieceBytesMax);
  return Array.from({ length: count }, (_, part) => {
    const piece = state.subarray(part * pieceBytesMax, (part + 1) * pieceBytesMax);
    return editorStatePartEntity.put({ ...life, base, part }, { state: piece, base, ...(from && { from }) });
  });
}

export interface NewEditor {
  type: EditorType;
  contentKey: string;
  /** The Yjs update. Absent: the editor is empty. */
  state?: Uint8Array;
}

/** The writes that add an editor, in one transaction. The first one's condition fails if the editor exists. */
export function creation(ref: EditorRef, { state = new Uint8Array(), type, contentKey }: NewEditor): Write[] {
  const { editorId } = ref;
  const [generation, base] = [randomUUID(), randomUUID()];
  const parts = partsOf({ ...ref, generation }, state, { base });
  const size = state.byteLength;
  const createdAt = new Date().toISOString();
  const content = { generation, base, partCount: parts.length, sizeBytes: size, usedBytes: size, waiting: 0 };
  const editor = { editorId, type, contentKey, createdAt, updatedAt: createdAt, ...content };
  return [editorContentEntity.put(ref, editor, "absent"), ...parts];
}

export async function get(ref: EditorRef): Promise<Editor | undefined> {
  return Table.get<Editor>(editorContentEntity.key(ref));
}

export async function getMany(
  document: DocumentDataRef,
  editorIds: readonly string[],
): Promise<(Editor | undefined)[]> {
  return Table.getMany<Editor>(editorIds.map((editorId) => editorContentEntity.key({ ...document, editorId })));
}

/** The condition that the editor still has this content and is in this life. */
export const asRead = ({ createdAt, generation, base }: Editor) => ({ createdAt, generation, base });

/** The write that deletes an editor as read. The partition of its generation must be purged. */
export const removal = (ref: EditorRef, editor: Editor): Write => editorContentEntity.delete(ref, asRead(editor));

/** The keys of the parts of content, in order. */
export const partKeys = (ref: EditorRef, { generation, base, partCount }: Editor): Key[] =>
  Array.from({ length: partCount }, (_, part) => editorStatePartEntity.key({ ...ref, generation, base, part }));

/** `pk`: of the item, which is the document's partition. */
export const editorDescendants = ({ pk = "", ...editor }: Editor & Partial<Key>): Descendants => ({
  partitions: [partitionIn(pk, editor)],
});

/** One page of a document's editors, in the order of the keys. */
export async function page(document: DocumentDataRef, limit: number, from?: string): Promise<Page<Editor>> {
  return pageOfItems(editorContentEntity, document, { limit, from });
}
