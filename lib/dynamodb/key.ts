// Keys of the table. A key consists of segments joined by "#". An id is one segment: escaped, and hashed if it is long,
// so no id can form the key of another entity or another workspace.
import { hash } from "node:crypto";

/** A type alias, because `Record<string, unknown>` does not accept an interface. */
export type Key = {
  pk: string;
  sk: string;
};

export type Item = Key & Record<string, unknown>;

/** A longer escaped id is replaced by its hash. Five such segments fit the 2,048 bytes of a partition key. */
const segmentBytesMax = 300;

/** An id as a key segment. "%" is always escaped, so no escaped id begins with "%~", the prefix of a hash. */
export function segment(id: string): string {
  const escaped = id.replace(/[%#]/g, (character) => (character === "%" ? "%25" : "%23"));
  if (escaped.length * 3 <= segmentBytesMax || Buffer.byteLength(escaped) <= segmentBytesMax) return escaped;
  return `%~${hash("sha256", id, "base64url")}`;
}

/** The number of partitions of a long list: none of them becomes hot. A power of two, as `shardOf` needs. */
export const shardCount = 16;

/** The numbers of all shards. */
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The shard of an id; it never changes. FNV-1a spreads ids evenly at a tenth of the cost of SHA-256. */
export function shardOf(id: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) state = Math.imul(state ^ id.charCodeAt(index), 0x01000193);
  return (state ^ (state >>> 16)) & (shardCount - 1);
}

/** A key as one string, for maps. The length shows where `pk` ends, so two keys never have the same name. */
export const keyName = ({ pk, sk }: Key) => `${pk.length} ${pk}${sk}`;
