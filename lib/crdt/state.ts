// An editor's content as a Yjs update: a Yjs client that loads it has what was sent (DECISIONS.md#crdt-content).
import { hash } from "node:crypto";
import * as Y from "yjs";
import { invalidField } from "../errors.ts";
import type { EditorContent, EditorType } from "../schema/crdt.ts";
import { fillArray, fillMap, fillXml, jsonOf, xmlOf } from "./trees.ts";
import { parseXml, printXml } from "./xml.ts";

const stateBytesMax = 3.5 * 1_024 * 1_024;
/** Every Yjs item takes more than this. So content with too many items is refused before they fill the memory. */
const itemBytesMin = 8;

export interface Content {
  type: EditorType;
  /** Of the shared type within its Yjs document. */
  contentKey: string;
  data: EditorContent;
}

/**
 * The update: the same bytes for the same content. INVALID_ARGUMENT when the XML is malformed or the update above 3.5
 * MB.
 */
export function encode(content: Content): Uint8Array {
  const document = new Y.Doc({ gc: false });
  document.clientID = clientIdOf(content);
  document.transact(() => fill(document, content));
  const state = Y.encodeStateAsUpdate(document);
  if (state.byteLength > stateBytesMax) throw tooLarge();
  return state;
}

function fill(document: Y.Doc, { type, contentKey, data }: Content): void {
  let items = 0;
  const count = () => {
    items += 1;
    if (items * itemBytesMin > stateBytesMax) throw tooLarge();
  };
  if (type === "text") document.getText(contentKey).insert(0, data as string);
  else if (type === "map") fillMap(document.getMap(contentKey), data as object, count);
  else if (type === "array") fillArray(document.getArray(contentKey), data as unknown[], count);
  else fillXml(document.getXmlFragment(contentKey), parseXml(data as string, count));
}

/**
 * The client id follows from the content. When a document is deleted and added again, clients can still have the old
 * content; with another client id, Yjs does not take items of one for items of the other. The top bit is always set, so
 * every client id encodes to the same length.
 */
function clientIdOf({ type, contentKey, data }: Content): number {
  const digest = hash("sha256", JSON.stringify([type, contentKey, data]), "buffer");
  return (digest.readUInt32BE(0) | 0x80000000) >>> 0;
}

/** The content of an update, in the shape in which it was sent. */
export function decode({ type, contentKey }: Omit<Content, "data">, state: Uint8Array): EditorContent {
  const document = new Y.Doc({ gc: false });
  Y.applyUpdate(document, state);
  if (type === "text") return document.getText(contentKey).toString();
  if (type === "map") return jsonOf(document.getMap(contentKey));
  if (type === "array") return jsonOf(document.getArray(contentKey));
  return printXml(xmlOf(document.getXmlFragment(contentKey)));
}

function tooLarge() {
  return invalidField(["data"], "Must make a Yjs update of at most 3.5 MB.");
}
