// Yjs updates as bytes. Only `compact` integrates an update, which can be slow.
import * as Y from "yjs";
import { chunks } from "../concurrency.ts";
import { within } from "./within.ts";
import { limitLists } from "./yjs-lists.ts";

limitLists();

/** The name of the shared type in its Yjs document, where a request has none. */
export const contentKeyDefault = "content";

export const noContent = Y.encodeStateAsUpdate(new Y.Doc());

/**
 * The content of an update in the format v1; undefined for other bytes. An update in the format v2 would look like an
 * empty update with further bytes behind it.
 */
export function decoded(bytes: Uint8Array): ReturnType<typeof Y.decodeUpdate> | undefined {
  let decoder: Y.UpdateDecoderV1 | undefined;
  class Decoder extends Y.UpdateDecoderV1 {
    constructor(...args: ConstructorParameters<typeof Y.UpdateDecoderV1>) {
      super(...args);
      decoder = this;
    }
  }
  try {
    const update = Y.decodeUpdateV2(bytes, Decoder);
    return decoder?.restDecoder.pos === bytes.byteLength ? update : undefined;
  } catch {
    return undefined;
  }
}

export function isStateVector(bytes: Uint8Array): boolean {
  try {
    return Buffer.from(Y.encodeStateVector(Y.decodeStateVector(bytes))).byteLength === bytes.byteLength;
  } catch {
    return false;
  }
}

/** Whether the update changes nothing. */
export const isEmpty = (update: Uint8Array) => Buffer.from(update).equals(noContent);

/** The time of one merge grows with the square of the number of updates. */
const mergedTogether = 128;

/** Joins updates into one update with the content of all. */
export function merge(updates: readonly Uint8Array[]): Uint8Array {
  let rest = [...updates];
  while (rest.length > 1) rest = chunks(rest, mergedTogether).map((few) => Y.mergeUpdates(few));
  return rest[0] ?? noContent;
}

/** The part of `update` that a state vector does not have. */
export const missingIn = (update: Uint8Array, stateVector: Uint8Array) => Y.diffUpdate(update, stateVector);

export const stateVectorOf = (update: Uint8Array) => Y.encodeStateVectorFromUpdate(update);

/**
 * The update as a Yjs document writes it: characters that follow one another are one item, and deleted content is gone.
 * Throws for an update that no document can integrate in time.
 */
export function compact(update: Uint8Array): Uint8Array {
  return within(() => {
    const document = new Y.Doc();
    Y.applyUpdate(document, update);
    return Y.encodeStateAsUpdate(document);
  });
}
