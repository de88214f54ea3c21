// Knowledge in the workspace's memory: a source, and its text in chunks. The source's item is written first, so an
// interrupted call leaves no orphaned chunk. Lists show a source only when it has its `chunkCount`.
import { hash } from "node:crypto";
import { deleteAll, putAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import { type Item, segment } from "../../dynamodb/key.ts";
import { fillPage, type Page } from "../../dynamodb/page.ts";
import { itemsOf, pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { distinct } from "../../schema/primitives.ts";
import { getStored, isFound, type OrganizationLife, stillLives } from "../content/organization-life.ts";
import { type Descendants, type WorkspaceRef, workspacePartition } from "../refs.ts";

/** Without an organization, the source belongs to the workspace. */
export interface KnowledgeSource extends Partial<OrganizationLife> {
  sourceId: string;
  /** The internal id under which its chunks are stored. A source that is deleted and stored again has another. */
  sourceUid: string;
  fileName?: string;
  mimeType: string;
  createdAt: string;
  /** Absent until all chunks are stored. */
  chunkCount?: number;
  characters?: number;
}

export interface Chunk {
  /** The position in the file, from 0. */
  index: number;
  text: string;
}

export const knowledgeSourceEntity = entity<KnowledgeSource>()({
  name: "knowledge-source",
  attributes: [
    "sourceId",
    "sourceUid",
    "fileName",
    "mimeType",
    "organizationId",
    "organizationUid",
    "createdAt",
    "chunkCount",
    "characters",
  ],
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#KD`,
  sk: ({ sourceId }: Pick<KnowledgeSource, "sourceId">) => segment(sourceId),
});

export type ChunksRef = WorkspaceRef & Pick<KnowledgeSource, "sourceUid">;

/** The index is padded, so that chunks sort as numbers. */
export const chunkEntity = entity<Chunk>()({
  name: "knowledge-chunk",
  attributes: ["index", "text"],
  pk: ({ workspace, sourceUid }: ChunksRef) => `${workspacePartition({ workspace })}#K#${sourceUid}`,
  sk: ({ index }: Pick<Chunk, "index">) => String(index).padStart(6, "0"),
});

export const knowledgeSourceDescendants = (source: ChunksRef): Descendants => ({
  partitions: [chunkEntity.partition(source)],
});

/** Most characters of a chunk of several lines. A question finds and cites whole chunks, so a chunk is short. */
const chunkCharacters = 1_200;

/** The same bytes for the same life of an organization, read as the same kind of file, are the same source. */
export function sourceIdOf(bytes: Buffer, kind: string, organizationUid?: string): string {
  const suffix = Buffer.from(`\n${kind}${organizationUid === undefined ? "" : `\n${organizationUid}`}`);
  return `ks_${hash("sha256", Buffer.concat([bytes, suffix]), "base64url").slice(0, 24)}`;
}

/**
 * Stores a source and its lines, unless it is stored completely. Idempotent, also for concurrent calls. Returns false,
 * without a write, when its organization has been deleted.
 */
export async function add(
  { workspace }: WorkspaceRef,
  source: Omit<KnowledgeSource, "createdAt" | "chunkCount" | "characters">,
  lines: readonly string[],
): Promise<boolean> {
  const ref = { workspace, sourceId: source.sourceId };
  const setIfAbsent = { ...source, createdAt: new Date().toISOString() };
  const ofLife = isOfLife(source) ? [stillLives(ref, source)] : [];
  if (!(await writeAll([knowledgeSourceEntity.update(ref, { setIfAbsent }), ...ofLife]))) return false;
  const stored = await Table.get<KnowledgeSource>(knowledgeSourceEntity.key(ref));
  if (!stored || stored.chunkCount !== undefined) return true;
  const { sourceUid } = stored;
  const chunks = chunksOf(lines).map((text, index) => ({ index, text }));
  const puts = chunks.map((chunk) => chunkEntity.put({ workspace, sourceUid, index: chunk.index }, chunk));
  await putAll(puts);
  const characters = chunks.reduce((sum, { text }) => sum + text.length, 0);
  const set = { chunkCount: chunks.length, characters };
  const stillExists = await writeAll([knowledgeSourceEntity.update(ref, { set }, { sourceUid })]);
  // A call has deleted the source meanwhile. Its purge can have run before the puts, so the chunks would be orphaned.
  if (!stillExists) await deleteAll(puts.map(({ put }) => put));
  return true;
}

const isOfLife = <T extends Partial<OrganizationLife>>(source: T): source is T & OrganizationLife =>
  source.organizationId !== undefined && source.organizationUid !== undefined;

/** The sources, with undefined in place of those of an organization that has been deleted, or is being deleted. */
export async function findable<T extends Partial<OrganizationLife>>(
  ref: WorkspaceRef,
  sources: readonly (T | undefined)[],
): Promise<(T | undefined)[]> {
  const ids = distinct(sources.flatMap((source) => source?.organizationId ?? []));
  const lives = new Map((await getStored(ref, ids)).filter(isFound).map((each) => [each.organizationId, each]));
  return sources.map((source) =>
    !source || !isOfLife(source) || lives.get(source.organizationId)?.organizationUid === source.organizationUid
      ? source
      : undefined,
  );
}

/** The completely stored sources of a workspace, read until `unitsMax` read units are used; `isPartial`: there are more. */
export async function listed(ref: WorkspaceRef, unitsMax: number) {
  const { items, isPartial } = await Table.someOf<KnowledgeSource>(knowledgeSourceEntity.range(ref), unitsMax);
  return { sources: items.filter(isStored), isPartial };
}

const isStored = ({ chunkCount }: KnowledgeSource) => chunkCount !== undefined;

/** One page of the completely stored sources, by id, of one organization or of all. */
export async function page(
  ref: WorkspaceRef,
  limit: number,
  { from, organizationId }: { from?: string | undefined; organizationId?: string | undefined },
): Promise<Page<KnowledgeSource>> {
  const isWanted = (source: KnowledgeSource) =>
    isStored(source) && (organizationId === undefined || source.organizationId === organizationId);
  const show = (items: (KnowledgeSource & Item)[]) =>
    findable(
      ref,
      items.map((item) => (isWanted(item) ? item : undefined)),
    );
  return fillPage({ read: itemsOf(knowledgeSourceEntity, ref), show }, { limit, from, entriesMax: 10_000 });
}

/** The sources in the order of the ids, including incomplete sources. */
export async function getMany({ workspace }: WorkspaceRef, sourceIds: readonly string[]) {
  const keys = sourceIds.map((sourceId) => knowledgeSourceEntity.key({ workspace, sourceId }));
  return Table.getMany<KnowledgeSource>(keys);
}

/** One page of a source's chunks, in their order in the file. */
export async function chunksPage(ref: ChunksRef, limit: number, from?: string): Promise<Page<Chunk>> {
  return pageOfItems(chunkEntity, ref, { limit, from });
}

/** A stored chunk in the form of a search result. */
export function passageOf({ sourceId, fileName, createdAt }: KnowledgeSource, chunk: object) {
  const { index, text } = chunkEntity.attributesOf(chunk);
  return { recordId: `${sourceId}.${index}`, fileName, text, createdAt };
}

function chunksOf(lines: readonly string[]): string[] {
  const texts: string[] = [];
  let room = 0;
  for (const line of lines) {
    if (line.length + 1 > room || texts.length === 0) {
      texts.push(line);
      room = chunkCharacters - line.length;
    } else {
      texts[texts.length - 1] += `\n${line}`;
      room -= line.length + 1;
    }
  }
  return texts;
}
