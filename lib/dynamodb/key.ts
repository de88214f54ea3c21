// Keys of the table. A key is segments joined by "#". An id enters as a segment: escaped, and hashed where it is long,
// so that no id can form another entity's or another workspace's key.
import { hash } from "node:crypto";

/** A type, not an interface: an interface is no `Record<string, unknown>`, and a key is an item without attributes. */
export type Key = {
  pk: string;
  sk: string;
};

export type Item = Key & Record<string, unknown>;

/**
 * Bytes of an escaped id above which its hash takes its place: five such segments fit a partition key's 2,048 bytes.
 */
const segmentBytesMax = 300;

/** An id as a key segment. "%" starts an escape and is itself escaped, so "%~" (a hash) equals no escaped id. */
export function segment(id: string): string {
  const escaped = id.replace(/[%#]/g, (character) => (character === "%" ? "%25" : "%23"));
  if (escaped.length * 3 <= segmentBytesMax || Buffer.byteLength(escaped) <= segmentBytesMax) return escaped;
  return `%~${hash("sha256", id, "base64url")}`;
}

/** Partitions that one long list is spread over, so that none becomes hot. A power of two. */
export const shardCount = 16;

/** The numbers of all shards. */
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The shard of an id, the same at every call. FNV-1a spreads ids evenly at a tenth of the cost of SHA-256. */
export function shardOf(id: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) state = Math.imul(state ^ id.charCodeAt(index), 0x01000193);
  return (state ^ (state >>> 16)) & (shardCount - 1);
}

/** A key as one string, for maps. The length says where `pk` ends, so two keys never share a name. */
export const keyName = ({ pk, sk }: Key) => `${pk.length} ${pk}${sk}`;
