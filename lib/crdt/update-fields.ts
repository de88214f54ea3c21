// Wire shapes of Yjs updates and state vectors, which are sent as base64.
import * as Y from "yjs";
import * as z from "zod/mini";
import { invalidField } from "../errors.ts";
import { derived } from "../schema/derived.ts";
import { mustBeString } from "../schema/messages.ts";
import { decoded, isStateVector, noContent } from "./updates.ts";

const updateBytesMax = 300 * 1_024;
/** A state vector is shorter than the content, which has at most 3.5 MB. In base64, a request of 6 MB has room for it. */
const stateVectorBytesMax = 4 * 1_024 * 1_024;

/** The bytes have a buffer of their own: a decoder that reads past the end must not find bytes of another request. */
export const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));

const isBase64 = (text: string) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.replace(/={1,2}$/, "").length % 4 !== 1;

const decodedBytes = (text: string) => Math.floor((text.replace(/={1,2}$/, "").length * 3) / 4);

function base64(limit: number, tooLong: string) {
  return z.string(mustBeString).check(
    z.refine(isBase64, { error: "Must be base64.", abort: true }),
    z.refine((text) => decodedBytes(text) <= limit, { error: tooLong, abort: true }),
  );
}

const updateTooLong = "Must have at most 300 KB decoded. Send larger changes as several updates.";

export const Update = base64(updateBytesMax, updateTooLong).check(
  z.describe("Base64 of a Yjs update in the format v1, at most 300 KB. A user's has no sub-document."),
);

/** The update of a request as it is stored. */
export const stored = derived(({ update }: { update: string }) => {
  const normal = normalForm(bytesOf(update));
  if (!normal) {
    throw invalidField(["update"], "Must be a Yjs update in the format v1, such as Y.encodeStateAsUpdate returns.");
  }
  // Yjs can write a value longer than the client did.
  if (normal.byteLength > updateBytesMax) throw invalidField(["update"], updateTooLong);
  return normal;
}, "update");

/** Pages refuse a document with a sub-document: nobody could write there any more. */
export const hasSubdocument = (update: Uint8Array) =>
  decoded(update)?.structs.some((each) => each instanceof Y.Item && each.content instanceof Y.ContentDoc) === true;

export const StateVector = base64(stateVectorBytesMax, "Must have at most 4 MB decoded.").check(
  z.refine((text) => isStateVector(bytesOf(text)), "Must be a Yjs state vector, such as Y.encodeStateVector returns."),
  z.describe("Base64 of a Yjs state vector."),
);

/** Most levels of a value in an update, as in a request. Yjs writes values by recursion. */
const levelsMax = 64;

/**
 * The form in which an update is stored: as a merge writes it. So a merge of stored updates cannot fail, loses nothing,
 * and takes no more bytes than were reserved (DECISIONS.md#crdt-updates). Undefined when the bytes are no update in the
 * format v1, or an update that no Yjs document makes.
 */
export function normalForm(bytes: Uint8Array): Uint8Array | undefined {
  const update = decoded(bytes);
  if (!update) return undefined;
  const { structs, ds } = update;
  const deletions = [...ds.clients.values()].flat();
  const isSound =
    structs.every(isWritable) && isInOrder(structs) && deletions.every(({ clock, len }) => isClock(clock + len));
  return isSound ? Y.mergeUpdates([bytes, noContent]) : undefined;
}

type Struct = ReturnType<typeof Y.decodeUpdate>["structs"][number];

const isClock = Number.isSafeInteger;

function isWritable(struct: Struct): boolean {
  if (struct.length === 0 || !isClock(struct.id.clock + struct.length)) return false;
  if (!(struct instanceof Y.Item)) return true;
  if (!hasOlderNeighbours(struct)) return false;
  const { content } = struct;
  if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON) return isFlat(content.arr);
  if (content instanceof Y.ContentEmbed) return isFlat(content.embed);
  if (content instanceof Y.ContentFormat) return isFlat(content.value);
  if (content instanceof Y.ContentDoc) return typeof content.doc.guid === "string" && isFlat(content.opts);
  return true;
}

/** Yjs throws at an item beside itself or a later one of its client: no page could load the content any more. */
const hasOlderNeighbours = ({ id, origin, rightOrigin, parent }: Y.Item) =>
  [origin, rightOrigin, parent].every(
    (each) => !(each instanceof Y.ID) || each.client !== id.client || each.clock < id.clock,
  );

export function isFlat(value: unknown, levels = levelsMax): boolean {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return true;
  return levels > 0 && Object.values(value).every((each) => isFlat(each, levels - 1));
}

/** Clients in descending order. A merge would lose content that is out of order. */
function isInOrder(structs: readonly Struct[]): boolean {
  return structs.every(({ id: { client, clock } }, index) => {
    const before = structs[index - 1];
    if (!before || client < before.id.client) return true;
    return client === before.id.client && clock === before.id.clock + before.length;
  });
}
