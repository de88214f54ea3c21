// Editors. The item of an editor is small: its type, its counters, and what names its content. The content is a Yjs
// update in parts, and the updates that are not merged into it yet. Both are in the partition of the editor's generation
// (DECISIONS.md#crdt-updates).
import { randomUUID } from "node:crypto";
import { entity } from "../dynamodb/entity.ts";
import { type Key, segment } from "../dynamodb/key.ts";
import type { Page } from "../dynamodb/page.ts";
import { type ListWithHidden, pageOfShown } from "../dynamodb/shown-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import type { EditorType } from "../schema/crdt.ts";
import type { Descendants } from "./descendants.ts";
import { type DocumentDataRef, documentDataPartition } from "./refs.ts";

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
  updatedAt?: string;
  /** Absent: it was added by an earlier version. */
  generation?: string;
  /**
   * Names the parts of the content; each merge sets another one. Absent: the content is as an earlier version stored it,
   * in `state` and in `partCount` further parts in the document's partition.
   */
  base?: string;
  partCount: number;
  /** Bytes of the parts. */
  sizeBytes?: number;
  /** Bytes of the parts, and the bytes that were reserved for updates since. */
  usedBytes?: number;
  /** Updates that were reserved and are not merged. */
  waiting?: number;
  /** Changes before this time cause no event of their own. Ms since the epoch. */
  eventUntil?: number;
  state?: Uint8Array;
}

export const editorContentEntity = entity<Editor>()({
  name: "editor-content",
  attributes: {
    editorId: true,
    type: true,
    contentKey: true,
    createdAt: true,
    updatedAt: true,
    generation: true,
    base: true,
    partCount: true,
    sizeBytes: true,
    usedBytes: true,
    waiting: true,
    eventUntil: true,
    state: true,
  },
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "CRDT#",
  sk: ({ editorId }: { editorId: string }) => segment(editorId),
});

/** A part of content that an earlier version stored. */
export const editorContentPartEntity = entity<{ state: Uint8Array }>()({
  name: "editor-content-part",
  attributes: { state: true },
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "CRDT#",
  sk: ({ editorId, part }: { editorId: string; part: number }) => `${segment(editorId)}#${part}`,
});

const firstGeneration = "0";
export const generationOf = ({ generation = firstGeneration }: Pick<Editor, "generation">) => generation;

export const editorPartition = (ref: EditorLifeRef) => partitionIn(documentDataPartition(ref), ref);

const partitionIn = (document: string, { editorId, generation }: Pick<EditorLifeRef, "editorId" | "generation">) =>
  `${document}#E#${segment(editorId)}#${generation}`;

export interface StatePart {
  state: Uint8Array;
  base: string;
  /** The `base` from which a merge made this part. The parts that came with the editor have none. */
  from?: string | undefined;
}

export const editorStatePartEntity = entity<StatePart>()({
  name: "editor-state-part",
  attributes: { state: true, base: true, from: true },
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

/** Holds while the editor has this content and is in this life. */
export const asRead = ({ createdAt, generation, base }: Editor) => ({ createdAt, generation, base });

/** The writes that delete an editor as read. The partition of its generation must be purged. */
export function removal(ref: EditorRef, editor: Editor): Write[] {
  const parts = editor.base === undefined ? formerPartKeys(ref, editor) : [];
  return [
    editorContentEntity.delete(ref, asRead(editor)),
    ...parts.map(({ part }) => editorContentPartEntity.delete({ ...ref, part })),
  ];
}

/** The keys of the parts of content, in order. Content of an earlier version begins with `state`. */
export function partKeys(ref: EditorRef, editor: Editor): Key[] {
  const { base, partCount } = editor;
  if (base === undefined) return formerPartKeys(ref, editor).map(({ key }) => key);
  const life = { ...ref, generation: generationOf(editor) };
  return Array.from({ length: partCount }, (_, part) => editorStatePartEntity.key({ ...life, base, part }));
}

const formerPartKeys = (ref: EditorRef, { partCount }: Editor) =>
  Array.from({ length: partCount }, (_, index) => {
    const part = index + 1;
    return { part, key: editorContentPartEntity.key({ ...ref, part }) };
  });

/** The parts of an editor that an earlier version stored. */
export const formerPartsOf = (ref: EditorRef) => ({
  pk: documentDataPartition(ref),
  beginsWith: `${editorContentEntity.key(ref).sk}#`,
});

/** `pk`: of the item, which is the document's partition. */
export const editorDescendants = ({ pk = "", ...editor }: Editor & Partial<Key>): Descendants => ({
  partitions: [partitionIn(pk, { ...editor, generation: generationOf(editor) })],
});

const listed = [
  "pk",
  "sk",
  "entity",
  "editorId",
  "type",
  "contentKey",
  "generation",
  "createdAt",
  "updatedAt",
  "usedBytes",
  "base",
  "partCount",
  // Only of an earlier version.
  "state",
] as const;

/** `bytes`: of the content, with its updates. Absent: an earlier version stored the content in several parts. */
export type ListedEditor = Omit<Editor, "state"> & { bytes?: number };

function listedEditor({ state, ...editor }: Editor): ListedEditor {
  const { base, partCount, usedBytes = 0 } = editor;
  if (base !== undefined) return { ...editor, bytes: usedBytes };
  return partCount === 0 && state ? { ...editor, bytes: state.byteLength + usedBytes } : editor;
}

/** One page of a document's editors, in the order of the keys, without their content. */
export async function page(document: DocumentDataRef, limit: number, from?: string): Promise<Page<ListedEditor>> {
  const range = editorContentEntity.range(document);
  const entries: ListWithHidden<Editor & Key & { entity: string }, ListedEditor> = {
    read: (size, after) => Table.queryFull({ ...range, limit: size, after, attributes: listed }),
    // The prefix is also that of parts of an earlier version.
    show: async (read) =>
      read.map((each) => (each.entity === editorContentEntity.name ? listedEditor(each) : undefined)),
  };
  return pageOfShown(entries, limit, from);
}
