// Knowledge that a workspace's memory can be asked for: a source, and its text in chunks. The source's entry is written
// first, so that whatever is stopped leaves no chunk that nothing leads to; it is listed once it counts its chunks.
import { hash } from "node:crypto";
import type { Position } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import { commit, putAll, removeAll } from "../jobs/commit.ts";
import { memoryKeys } from "./memory-keys.ts";

export interface KnowledgeSource {
  sourceId: string;
  /** What the chunks hang from. */
  uid: string;
  fileName?: string;
  mimeType: string;
  createdAt: string;
  /** Absent until all are stored. */
  chunkCount?: number;
  characters?: number;
}

export interface Chunk {
  /** From 0 on, in the order of the file. */
  index: number;
  text: string;
}

/** A chunk is one thing to find: a few lines, so that what is cited is near. */
const chunkCharacters = 1_200;

/** The same bytes, read in the same way, are the same source. */
export function sourceIdOf(bytes: Buffer, kind: string): string {
  return `ks_${hash("sha256", Buffer.concat([bytes, Buffer.from(`\n${kind}`)]), "base64url").slice(0, 24)}`;
}

/** Stores a source with its lines, unless it is there. Safe to run twice, and at once. */
export async function add(
  workspace: string,
  source: Pick<KnowledgeSource, "sourceId" | "uid" | "fileName" | "mimeType">,
  lines: readonly string[],
): Promise<void> {
  const key = memoryKeys.source(workspace, source.sourceId);
  await commit([{ update: key, setIfAbsent: { ...source, createdAt: new Date().toISOString() } }]);
  const stored = await Table.get<KnowledgeSource>(key);
  if (!stored || stored.chunkCount !== undefined) return;
  const { uid } = stored;
  const chunks = chunksOf(lines).map((text, index) => ({ ...memoryKeys.chunk(workspace, uid, index), index, text }));
  await putAll(chunks);
  const characters = chunks.reduce((sum, { text }) => sum + text.length, 0);
  const isThere = await commit([{ update: key, set: { chunkCount: chunks.length, characters }, if: { uid } }]);
  // Deleted meanwhile, and so perhaps before these were written: nothing else would find them.
  if (!isThere) await removeAll(chunks);
}

/** All sources of a workspace that are stored, page after page. */
export async function* listed(workspace: string): AsyncGenerator<KnowledgeSource[]> {
  for await (const page of Table.all<KnowledgeSource>({ pk: memoryKeys.sources(workspace) })) {
    yield page.filter(isStored);
  }
}

const isStored = ({ chunkCount }: KnowledgeSource) => chunkCount !== undefined;

/** One page of those that are stored, by id: it can be short where some are being stored. */
export async function page(workspace: string, limit: number, from?: Position) {
  const range = { pk: memoryKeys.sources(workspace), limit, ...(from?.after !== undefined && { after: from.after }) };
  const { items, next } = await Table.query<KnowledgeSource>(range);
  return { items: items.filter(isStored), ...(next !== undefined && { next: { shard: 0, after: next } }) };
}

/** The sources with these ids, in their order, stored or being stored. */
export async function getMany(workspace: string, sourceIds: readonly string[]) {
  return Table.getMany<KnowledgeSource>(sourceIds.map((id) => memoryKeys.source(workspace, id)));
}

/** All chunks of a source, page after page. */
export function chunksIn(workspace: string, uid: string): AsyncGenerator<Chunk[]> {
  return Table.all<Chunk>({ pk: memoryKeys.chunks(workspace, uid) });
}

/** A chunk as it is stored. */
export function passageOf({ sourceId, fileName, createdAt }: KnowledgeSource, chunk: Table.Item) {
  const { index, text } = chunk as never as Chunk;
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
