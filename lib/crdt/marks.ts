// Marks, such as bold: elements in XML, and the formatting of a Y.XmlText for editors (DECISIONS.md#crdt-xml).
import { invalidField } from "../errors.ts";
import type { XmlElement, XmlNode } from "./xml.ts";
import { markAttributes, markForm, markName, markNames, markValue } from "./xml-form.ts";

/** A text with one formatting, as in a Yjs delta. */
export interface Piece {
  insert: string;
  attributes?: Record<string, unknown>;
}

/** The children of a parent: elements, and for each run of text and marks the pieces of one Y.XmlText. */
type Child = XmlElement | Piece[];

/** Whether the node is formatting: a mark that holds text and marks only. An empty one formats nothing. */
function isMark(node: XmlNode): node is XmlElement {
  if (typeof node === "string" || markName(node.name) === undefined) return false;
  const { name, children } = node;
  const isFormatting = children.length > 0 && children.every((child) => typeof child === "string" || isMark(child));
  // Another mark is no element either: an editor would delete it with its text.
  if (isFormatting || markNames.includes(name)) return isFormatting;
  throw invalidField(["data"], "Has an element `mark.name` without text, or with more than text and marks in it.");
}

export function childrenOf(nodes: readonly XmlNode[]): Child[] {
  return joinedTexts(nodes.map((node) => (typeof node !== "string" && !isMark(node) ? node : piecesOf(node, {}))));
}

/** Joins texts that follow one another. */
export function joinedTexts(children: readonly Child[]): Child[] {
  const result: Child[] = [];
  for (const child of children) {
    const last = result.at(-1);
    if (!Array.isArray(child)) result.push(child);
    else if (Array.isArray(last)) for (const piece of child) last.push(piece);
    else result.push([...child]);
  }
  return result.map((child) => (Array.isArray(child) ? joined(child) : child));
}

/** Joins pieces with the same formatting: each change of the formatting takes room in the update. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: (Piece & { identity: string })[] = [];
  for (const { insert, attributes = {} } of pieces) {
    const identity = JSON.stringify(Object.entries(attributes).sort(byName));
    const last = result.at(-1);
    if (last?.identity === identity) last.insert += insert;
    else result.push({ insert, attributes, identity });
  }
  // Yjs looks for names of marks in the attributes: they must not inherit `constructor`.
  return result.map(({ insert, attributes }) => ({ insert, attributes: { __proto__: null, ...attributes } }));
}

function piecesOf(node: XmlNode, outside: Record<string, unknown>): Piece[] {
  if (typeof node === "string") return [{ insert: node, attributes: outside }];
  const attributes = { ...outside, [markName(node.name) as string]: markValue(node.attributes) };
  return node.children.flatMap((child) => piecesOf(child, attributes));
}

interface Formatted {
  text: string;
  /** An element for each mark, and a text that tells it from another element of that name. */
  marks: Map<string, { attributes: XmlElement["attributes"]; identity: string }>;
}

/** The nodes that show the pieces. The same formatting always has the same nodes. */
export function nodesOf(pieces: readonly Piece[]): XmlNode[] {
  return nested(
    pieces.map(({ insert, attributes = {} }) => ({ text: insert, marks: new Map(marksOf(attributes)) })),
    new Set(),
  );
}

function* marksOf(
  formatting: Record<string, unknown>,
): Generator<[string, { attributes: XmlElement["attributes"]; identity: string }]> {
  for (const [name, value] of Object.entries(formatting)) {
    if (value === null) continue;
    const attributes = markAttributes(value);
    yield [markForm(name), { attributes, identity: JSON.stringify([...attributes].sort(byName)) }];
  }
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

/** The mark that holds for the most pieces is outside. `open`: the marks around these pieces. */
function nested(pieces: readonly Formatted[], open: ReadonlySet<string>): XmlNode[] {
  const nodes: XmlNode[] = [];
  for (let start = 0; start < pieces.length; ) {
    const piece = pieces[start] as Formatted;
    const [outside] = [...piece.marks.keys()]
      .filter((name) => !open.has(name))
      .map((name) => ({ name, end: endOf(pieces, start, name) }))
      .sort(
        (one, other) => other.end - one.end || rank(one.name) - rank(other.name) || (one.name < other.name ? -1 : 1),
      );
    if (outside) {
      const { name, end } = outside;
      const children = nested(pieces.slice(start, end), new Set([...open, name]));
      nodes.push({ name, attributes: piece.marks.get(name)?.attributes ?? [], children });
      start = end;
      continue;
    }
    const last = nodes.at(-1);
    if (typeof last === "string") nodes[nodes.length - 1] = last + piece.text;
    else nodes.push(piece.text);
    start += 1;
  }
  return nodes;
}

function endOf(pieces: readonly Formatted[], start: number, name: string): number {
  const identity = pieces[start]?.marks.get(name)?.identity;
  let end = start + 1;
  while (end < pieces.length && pieces[end]?.marks.get(name)?.identity === identity) end += 1;
  return end;
}

const rank = (name: string) => {
  const index = markNames.indexOf(name);
  return index < 0 ? markNames.length : index;
};
