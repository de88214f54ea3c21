// The form in which an update is stored: as a merge writes it. So a merge of stored updates cannot fail, loses nothing,
// and takes no more bytes than were reserved (DECISIONS.md#crdt-updates).
import * as Y from "yjs";
import { decoded, noContent } from "./updates.ts";

/** Levels of a value in an update, as of a request. Yjs writes values by recursion. */
const levelsMax = 64;

/** Undefined when the bytes are no update in the format v1, or one that no Yjs document makes. */
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
  const { content } = struct;
  if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON) return isFlat(content.arr);
  if (content instanceof Y.ContentEmbed) return isFlat(content.embed);
  if (content instanceof Y.ContentFormat) return isFlat(content.value);
  if (content instanceof Y.ContentDoc) return typeof content.doc.guid === "string" && isFlat(content.opts);
  return true;
}

function isFlat(value: unknown, levels = levelsMax): boolean {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return true;
  return levels > 0 && Object.values(value).every((each) => isFlat(each, levels - 1));
}

/** Clients in descending order. A merge would lose what stands out of order. */
function isInOrder(structs: readonly Struct[]): boolean {
  return structs.every(({ id: { client, clock } }, index) => {
    const before = structs[index - 1];
    if (!before || client < before.id.client) return true;
    return client === before.id.client && clock === before.id.clock + before.length;
  });
}
