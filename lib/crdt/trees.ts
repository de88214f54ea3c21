// Converts JSON and XML to Yjs types, and back. A type is filled only after it was put into its parent.
import * as Y from "yjs";
import { invalidField } from "../errors.ts";
import { reservedNameIssues } from "../http/reserved-names.ts";
import { childrenOf, formattingChanges, joinedTexts, nodesOf, type Piece } from "./marks.ts";
import { printXml, type XmlElement, type XmlNode } from "./xml.ts";
import { attributeForm, attributeValues, elementForm, elementName } from "./xml-form.ts";

/** Objects become Y.Map and lists Y.Array, so that clients can edit each nested value separately. */
export function fillMap(map: Y.Map<unknown>, object: object, count: () => void): void {
  for (const [key, value] of Object.entries(object)) {
    count();
    const entry = emptyFor(value);
    map.set(key, entry);
    fill(entry, value, count);
  }
}

export function fillArray(array: Y.Array<unknown>, values: readonly unknown[], count: () => void): void {
  const entries = values.map((value) => {
    if (typeof value === "object") count();
    return emptyFor(value);
  });
  array.insert(0, entries);
  for (const [index, entry] of entries.entries()) fill(entry, values[index], count);
}

function emptyFor(value: unknown): unknown {
  if (Array.isArray(value)) return new Y.Array();
  return typeof value === "object" && value !== null ? new Y.Map() : value;
}

function fill(entry: unknown, value: unknown, count: () => void): void {
  if (entry instanceof Y.Array) fillArray(entry, value as unknown[], count);
  else if (entry instanceof Y.Map) fillMap(entry, value as object, count);
}

/** Levels of a value as JSON. A request has fewer, but clients can nest types deeper. */
const levelsMax = 256;

/**
 * Like `toJSON`, but keeps a key `__proto__`. Values that JSON does not have become text: XML, bytes in base64, large
 * integers. No text has a lone surrogate, which crdt/add refuses. Throws when the value is nested too deep. `count`: as
 * in `xmlOf`.
 */
export function jsonOf(value: unknown, count: (marks: number) => void, levels = levelsMax): unknown {
  if (levels === 0) throw new Error(`The content is nested more than ${levelsMax} levels deep.`);
  const inner = (each: unknown) => jsonOf(each, count, levels - 1);
  const objectOf = (entries: [string, unknown][]) =>
    Object.fromEntries(entries.map(([key, each]) => [key.toWellFormed(), inner(each)]));
  if (value instanceof Y.Array) return value.toArray().map(inner);
  if (value instanceof Y.Map) return objectOf([...value.entries()]);
  if (value instanceof Y.XmlFragment || value instanceof Y.XmlText) return printXml(nodesIn(value, count));
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "bigint" || value instanceof Y.AbstractType) return String(value);
  if (Array.isArray(value)) return value.map(inner);
  if (value === undefined || value instanceof Y.Doc) return null;
  return typeof value === "object" && value !== null ? objectOf(Object.entries(value)) : value;
}

function nodesIn(type: Y.XmlFragment | Y.XmlText, count: (marks: number) => void): XmlNode[] {
  if (type instanceof Y.XmlText) return nodesOf(piecesIn(type, count));
  return type instanceof Y.XmlElement ? [nodeOf(type, count)] : xmlOf(type, count);
}

/**
 * `count` is called for each begin and end of a mark: the nodes are counted before. `countMarks` is called with the marks
 * of each piece of text. Both can throw to stop.
 */
export function fillXml(
  parent: Y.XmlFragment,
  nodes: readonly XmlNode[],
  count: () => void,
  countMarks: (marks: number) => void,
): void {
  const children = childrenOf(nodes, countMarks);
  const types = children.map((child) => (Array.isArray(child) ? new Y.XmlText() : elementOf(child)));
  parent.insert(0, types);
  for (const [index, type] of types.entries()) {
    if (type instanceof Y.XmlElement) fillXml(type, (children[index] as XmlElement).children, count, countMarks);
    else fillText(type, children[index] as Piece[], count);
  }
}

/**
 * Writes each change of the formatting once. `applyDelta` of Yjs would begin and end each mark at each piece, with its
 * value, so that a long link over many pieces would be there many times.
 */
function fillText(text: Y.XmlText, pieces: readonly Piece[], count: () => void): void {
  const { clientID, store } = text.doc as Y.Doc;
  let left: Y.Item | undefined;
  const append = (content: Y.ContentFormat | Y.ContentString) => {
    const id = Y.createID(clientID, Y.getState(store, clientID));
    const item: Y.Item = new Y.Item(id, left ?? null, left?.lastId ?? null, null, null, text, null, content);
    Y.transact(text.doc as Y.Doc, (transaction) => item.integrate(transaction, 0));
    left = item;
  };
  let [run, formatting] = ["", {}];
  for (const { insert, attributes = {} } of [...pieces, { insert: "" }]) {
    const changes = formattingChanges(formatting, attributes);
    if (changes.length > 0 && run !== "") append(new Y.ContentString(kept(run)));
    if (changes.length > 0) run = "";
    for (const [name, value] of changes) {
      count();
      append(new Y.ContentFormat(kept(name), value as object));
    }
    run += insert;
    formatting = attributes;
  }
  if (run !== "") append(new Y.ContentString(kept(run)));
}

function elementOf({ name, attributes }: XmlElement): Y.XmlElement {
  const element = new Y.XmlElement(kept(elementName(name)));
  for (const [key, value] of attributeValues(attributes)) {
    if (!isKept(value)) {
      throw invalidField(
        ["data"],
        "Has an attribute whose JSON Yjs does not keep: it has a key __proto__ or constructor, or a lone surrogate.",
      );
    }
    // The type allows text only. Yjs stores any value.
    element.setAttribute(kept(key), value as string);
  }
  return element;
}

/** Yjs drops a key `__proto__`, and looks at the `constructor` of the whole value. */
const isKept = (value: unknown) =>
  reservedNameIssues(value).length === 0 &&
  !(value instanceof Object && Object.hasOwn(value, "constructor")) &&
  isWellFormed(value);

const isWellFormed = (value: unknown): boolean =>
  value instanceof Object ? Object.entries(value).flat().every(isWellFormed) : String(value).isWellFormed();

/** Yjs stores text as UTF-8, where a lone surrogate becomes U+FFFD. It stores the value of a mark as JSON, and keeps it. */
function kept(text: string): string {
  if (text.isWellFormed()) return text;
  throw invalidField(["data"], "Has a lone surrogate, which Yjs does not keep, in a text or in a name.");
}

/**
 * The nodes that show the children. The same content always has the same nodes. `count` is called with the marks of each
 * piece of text, and can throw to stop.
 */
export function xmlOf(parent: Y.XmlFragment, count: (marks: number) => void): XmlNode[] {
  const children = parent
    .toArray()
    .map((child) => (child instanceof Y.XmlElement ? nodeOf(child, count) : piecesIn(child, count)));
  return joinedTexts(children).flatMap((child) => (Array.isArray(child) ? nodesOf(child) : [child]));
}

function nodeOf(element: Y.XmlElement, count: (marks: number) => void): XmlElement {
  // `getAttributes` would drop an attribute `__proto__`. An attribute that was removed is still in the map.
  const names = [...element._map].flatMap(([name, { deleted }]) => (deleted ? [] : [name]));
  const values = names.map((name) => [name, element.getAttribute(name)] as const);
  const attributes = values.flatMap(([name, value]) =>
    value === undefined ? [] : [attributeForm(name, jsonOf(value, count))],
  );
  return { name: elementForm(element.nodeName), attributes, children: xmlOf(element, count) };
}

/**
 * Like `toDelta` of Yjs, with two differences. It counts the marks before it copies them, and it keeps a mark
 * `__proto__`. Content other than text, such as an embedded object, has no XML.
 */
function piecesIn(text: Y.XmlText | Y.XmlHook, count: (marks: number) => void): Piece[] {
  const pieces: Piece[] = [];
  const formatting = new Map<string, unknown>();
  let last: Piece | undefined;
  for (let item = text instanceof Y.Text ? text._start : null; item; item = item.right) {
    const { content, deleted } = item;
    if (deleted) continue;
    if (content instanceof Y.ContentFormat) {
      if (content.value === null) formatting.delete(content.key);
      else formatting.set(content.key, content.value);
      last = undefined;
    } else if (content instanceof Y.ContentString) {
      if (!last) {
        count(formatting.size);
        last = { insert: "", attributes: Object.fromEntries(formatting) };
        pieces.push(last);
      }
      last.insert += content.str;
    }
  }
  return pieces;
}
