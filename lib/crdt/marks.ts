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

/** The answers of `isMark`. Marks can be in marks, so the same question comes several times. */
const known = new WeakMap<XmlElement, boolean>();

/** Whether the node is formatting: a mark that holds text and marks only. An empty one formats nothing. */
function isMark(node: XmlNode): node is XmlElement {
  if (typeof node === "string" || markName(node.name) === undefined) return false;
  const { name, children } = node;
  const isFormatting =
    known.get(node) ?? (children.length > 0 && children.every((child) => typeof child === "string" || isMark(child)));
  known.set(node, isFormatting);
  // Another mark is no element either: an editor would delete it with its text.
  if (isFormatting || markNames.includes(name)) return isFormatting;
  throw invalidField(["data"], "Has an element `mark.name` without text, or with more than text and marks in it.");
}

/** Equal marks have the same value, so that `===` compares them. */
type Values = Map<string, unknown>;

/** `count` is called with the marks of each piece of text, and can throw to stop. */
export function childrenOf(nodes: readonly XmlNode[], count: (marks: number) => void): Child[] {
  const values: Values = new Map();
  return joinedTexts(
    nodes.map((node) =>
      typeof node !== "string" && !isMark(node) ? node : addPieces(node, new Map(), [], values, count),
    ),
  );
}

/** Joins texts that follow one another. */
export function joinedTexts(children: readonly Child[]): Child[] {
  const result: Child[] = [];
  for (const child of children) {
    const last = result.at(-1);
    if (Array.isArray(child) && Array.isArray(last)) for (const piece of child) last.push(piece);
    else result.push(child);
  }
  return result;
}

type Formatting = Record<string, unknown>;

/** The changes from one formatting to the next: each mark that ends, with null, then each that begins. */
export function formattingChanges(before: Formatting, after: Formatting): [name: string, value: unknown][] {
  const ended = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const begun = Object.entries(after).filter(([name, value]) => !Object.hasOwn(before, name) || before[name] !== value);
  return [...ended.map((name): [string, null] => [name, null]), ...begun];
}

function addPieces(
  node: XmlNode,
  outside: Map<string, unknown>,
  pieces: Piece[],
  values: Values,
  count: (marks: number) => void,
): Piece[] {
  if (typeof node === "string") {
    count(outside.size);
    pieces.push({ insert: node, attributes: Object.fromEntries(outside) });
  } else {
    const identity = identityOf(node.attributes);
    if (!values.has(identity)) values.set(identity, markValue(node.attributes));
    const [name, value] = [markName(node.name) as string, values.get(identity)];
    const [isOpen, before] = [outside.has(name), outside.get(name)];
    outside.set(name, value);
    for (const child of node.children) addPieces(child, outside, pieces, values, count);
    if (isOpen) outside.set(name, before);
    else outside.delete(name);
  }
  return pieces;
}

/** A mark of one piece or of several that follow one another. */
interface Mark {
  name: string;
  /** As in the formatting. */
  value: unknown;
  attributes: XmlElement["attributes"];
  /** Tells it from another mark of that name. */
  identity: string;
  /** The first piece that does not have it. */
  end: number;
}

/**
 * The nodes that show the pieces. The same formatting always has the same nodes: of two marks, the one on more pieces
 * is outside.
 */
export function nodesOf(pieces: readonly Piece[]): XmlNode[] {
  const marksOfPieces = marksWithEnds(pieces);
  const nodes: XmlNode[] = [];
  const open = [{ name: "", end: pieces.length, children: nodes }];
  const openNames = new Set<string>();
  for (const [index, { insert }] of pieces.entries()) {
    while ((open.at(-1)?.end as number) <= index) openNames.delete(open.pop()?.name as string);
    const { end: until } = open.at(-1) as (typeof open)[number];
    const begun = (marksOfPieces[index] as Mark[])
      .filter(({ name }) => !openNames.has(name))
      .map((mark) => ({ ...mark, end: Math.min(mark.end, until) }))
      .sort(
        (one, other) => other.end - one.end || rank(one.name) - rank(other.name) || (one.name < other.name ? -1 : 1),
      );
    for (const { name, attributes, end } of begun) {
      const element = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push({ name, end, children: element.children });
      openNames.add(name);
    }
    const { children } = open.at(-1) as (typeof open)[number];
    const last = children.at(-1);
    if (typeof last === "string") children[children.length - 1] = last + insert;
    else children.push(insert);
  }
  return nodes;
}

/** The marks of each piece. */
function marksWithEnds(pieces: readonly Piece[]): Mark[][] {
  let after = new Map<string, Mark>();
  const all = pieces.toReversed().map(({ attributes = {} }, index) => {
    const own = new Map<string, Mark>();
    for (const [name, value] of Object.entries(attributes)) {
      const mark = markOf(name, value, after.get(name), pieces.length - index);
      if (mark) own.set(name, mark);
    }
    after = own;
    return [...own.values()];
  });
  return all.reverse();
}

/** `after`: the mark of this name in the next piece. Undefined if the formatting ends the mark (null). */
function markOf(name: string, value: unknown, after: Mark | undefined, end: number): Mark | undefined {
  if (after && after.value === value) return after;
  if (value === null) return undefined;
  const attributes = markAttributes(value);
  const identity = identityOf(attributes);
  return { name: markForm(name), value, attributes, identity, end: after?.identity === identity ? after.end : end };
}

const identityOf = (attributes: XmlElement["attributes"]) => JSON.stringify([...attributes].sort(byName));

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

const rank = (name: string) => {
  const index = markNames.indexOf(name);
  return index < 0 ? markNames.length : index;
};
