// Encodes an editor's content as a Yjs update, and decodes it.
import { hash } from "node:crypto";
import * as Y from "yjs";
import { invalidField } from "../errors.ts";
import { log } from "../log.ts";
import type { EditorContent, EditorType } from "../schema/crdt.ts";
import { fillArray, fillMap, fillXml, jsonOf, xmlOf } from "./trees.ts";
import { isTooSlow, within } from "./within.ts";
import { parseXml, printXml } from "./xml.ts";
import { limitLists } from "./yjs-lists.ts";

limitLists();

const stateBytesMax = 3.5 * 1_024 * 1_024;
/** Every Yjs item takes more bytes than this. So content with too many items is refused before it fills the memory. */
const itemBytesMin = 8;
/** Marks of all pieces of text together. A text can have thousands of marks, and each of them a piece of its own. */
const marksMax = 500_000;
const tooManyMarks = "The pieces of its text must have at most 500,000 marks together.";

export interface Content {
  type: EditorType;
  /** The name of the shared type in its Yjs document. */
  contentKey: string;
  data: EditorContent;
}

/**
 * Returns the same bytes for the same content. Throws INVALID_ARGUMENT if the XML is malformed, and if the update is above
 * 3.5 MB or takes too long.
 */
export function encode(content: Content): Uint8Array {
  const document = new Y.Doc({ gc: false });
  document.clientID = clientIdOf(content);
  const state = inTime(() => {
    document.transact(() => fill(document, content));
    return Y.encodeStateAsUpdate(document);
  });
  if (state.byteLength > stateBytesMax) throw tooLarge();
  return state;
}

const tooSlow = "Takes too long to become a Yjs update. Send less of it, and the rest with crdt/update.";

function inTime(work: () => Uint8Array): Uint8Array {
  try {
    return within(work);
  } catch (thrown) {
    throw isTooSlow(thrown) ? invalidField(["data"], tooSlow) : thrown;
  }
}

function fill(document: Y.Doc, { type, contentKey, data }: Content): void {
  let [items, marks] = [0, 0];
  const count = () => {
    if (++items * itemBytesMin > stateBytesMax) throw tooLarge();
  };
  const countMarks = (more: number) => {
    marks += more;
    if (marks > marksMax) throw invalidField(["data"], tooManyMarks);
  };
  if (type === "text") document.getText(contentKey).insert(0, data as string);
  else if (type === "map") fillMap(document.getMap(contentKey), data as object, count);
  else if (type === "array") fillArray(document.getArray(contentKey), data as unknown[], count);
  else fillXml(document.getXmlFragment(contentKey), parseXml(data as string, count), count, countMarks);
}

/**
 * The client id is a hash of the content. When a document is deleted and added again, clients can still have the old
 * content. With a different client id, Yjs does not confuse old items with new ones. The top bit is always set, so
 * every client id encodes to the same length.
 */
function clientIdOf({ type, contentKey, data }: Content): number {
  const hashed = hash("sha256", JSON.stringify([type, contentKey, data]), "buffer");
  return (hashed.readUInt32BE(0) | 0x80000000) >>> 0;
}

/**
 * Returns the content of an update, in the shape of crdt/add. Undefined if Yjs cannot integrate the update in time.
 * Clients that follow the protocol send no such updates.
 */
export function decode(content: Omit<Content, "data">, state: Uint8Array): EditorContent | undefined {
  try {
    return within(() => {
      const document = new Y.Doc();
      Y.applyUpdate(document, state);
      return contentOf(document, content);
    });
  } catch (cause) {
    log("warn", "An editor has content that cannot be read.", { cause });
    return undefined;
  }
}

function contentOf(document: Y.Doc, { type, contentKey }: Omit<Content, "data">): EditorContent {
  if (type === "text") return document.getText(contentKey).toString();
  let marks = 0;
  const count = (more: number) => {
    marks += more;
    if (marks > marksMax) throw new Error(tooManyMarks);
  };
  if (type === "map") return jsonOf(document.getMap(contentKey), count);
  if (type === "array") return jsonOf(document.getArray(contentKey), count);
  return printXml(xmlOf(document.getXmlFragment(contentKey), count));
}

function tooLarge() {
  return invalidField(["data"], "Its Yjs update must have at most 3.5 MB.");
}
