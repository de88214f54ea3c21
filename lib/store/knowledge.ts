// Knowledge that a workspace's memory can be asked for: a source, and its text in chunks. The chunks hang from a uid and
// are written first, so a source that is listed is whole; removing its entry takes it from every reader at once.
import { hash, randomUUID } from "node:crypto";
import { commit } from "./commit.ts";
import { keys } from "./keys.ts";
import { putAll } from "./put-all.ts";
import * as Table from "./table.ts";

export interface KnowledgeSource {
  sourceId: string;
  /** What the chunks hang from. */
  uid: string;
  fileName?: string | undefined;
  mimeType: string;
  chunkCount: number;
  characters: number;
  createdAt: string;
}

export interface Chunk {
  /** From 0 on, in the order of the file. */
  index: number;
  text: string;
}

/** A chunk is one thing to find: a few lines, so that what is cited is near. */
const chunkCharacters = 1_200;

/** The same bytes are the same source. */
export const sourceIdOf = (bytes: Buffer) => `ks_${hash("sha256", bytes, "base64url").slice(0, 24)}`;

/** Stores a source with its lines, unless it is there. */
export async function add(
  workspace: string,
  source: Pick<KnowledgeSource, "sourceId" | "fileName" | "mimeType">,
  lines: readonly string[],
): Promise<void> {
  const key = keys.knowledgeSource(workspace, source.sourceId);
  if (await Table.get(key)) return;
  const uid = randomUUID();
  const chunks = chunksOf(lines);
  await putAll(chunks.map((chunk) => ({ ...keys.knowledgeChunk(workspace, uid, chunk.index), ...chunk })));
  const characters = chunks.reduce((sum, { text }) => sum + text.length, 0);
  const createdAt = new Date().toISOString();
  await commit([{ put: { ...key, ...source, uid, chunkCount: chunks.length, characters, createdAt }, if: "absent" }]);
}

/** One page of a workspace's sources, by id. */
export async function page(workspace: string, limit: number, after?: string) {
  const { pk } = keys.knowledgeSource(workspace, "");
  return Table.query<KnowledgeSource>({ pk, limit, ...(after !== undefined && { after }) });
}

/** All chunks of a source, page after page. */
export function chunksIn(workspace: string, uid: string): AsyncGenerator<Chunk[]> {
  return Table.all<Chunk>({ pk: keys.knowledgeChunk(workspace, uid, 0).pk });
}

function chunksOf(lines: readonly string[]): Chunk[] {
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
  return texts.map((text, index) => ({ index, text }));
}
