// Shows that work grows no faster than its input: it counts steps for inputs of one, two and four times the size.
import { expect, it, vi } from "vitest";
import * as Y from "yjs";
import { countSteps } from "../support/steps.ts";

const stepsOf = await countSteps();
vi.resetModules();
const { decode, encode } = await import("../../lib/crdt/state.ts");
const { countValues } = await import("../../lib/http/count-values.ts");

const contentKey = "default";
const each = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, index) => of(index));

/** The state of an XML document that a client has made. */
function stateOf(make: (fragment: Y.XmlFragment) => void): Uint8Array {
  const document = new Y.Doc();
  document.transact(() => make(document.getXmlFragment(contentKey)));
  return Y.encodeStateAsUpdate(document);
}

const print = (state: Uint8Array) => () => expect(decode({ type: "xml", contentKey }, state)).toBeDefined();
const add = (data: string) => () => encode({ type: "xml", contentKey, data });

/** A text each of whose pieces ends a mark and begins another, so that each has so many marks. */
const textOf = (pieces: number, marks: number) => (fragment: Y.XmlFragment) => {
  const text = new Y.XmlText();
  fragment.insert(0, [text]);
  const attributes = (piece: number) => Object.fromEntries(each(marks, (index) => [`m${piece + index}`, true]));
  text.applyDelta(each(pieces, (piece) => ({ insert: "x", attributes: attributes(piece) })));
};

/** Elements in one another. In the innermost, so many texts and a last child. */
const nested = (levels: number, texts: number, last?: string) => (fragment: Y.XmlFragment) => {
  let parent = fragment;
  for (let level = 0; level < levels; level++) {
    const element = new Y.XmlElement("bold");
    parent.insert(0, [element]);
    parent = element;
  }
  parent.insert(0, [...each(texts, () => new Y.XmlText("x")), ...(last ? [new Y.XmlElement(last)] : [])]);
};

const inMarks = (levels: number, inner: string) => `${"<bold>".repeat(levels)}${inner}${"</bold>".repeat(levels)}`;

it.each<[string, (times: number) => () => unknown]>([
  ["printing pieces with ten marks each", (times) => print(stateOf(textOf(200 * times, 10)))],
  ["printing pieces with more marks each", (times) => print(stateOf(textOf(200, 10 * times)))],
  ["printing marks in one another, with more texts", (times) => print(stateOf(nested(100 * times, 100 * times)))],
  [
    "printing elements named like marks in one another",
    (times) => print(stateOf(nested(100 * times, 100 * times, "br"))),
  ],
  ["adding texts and elements in many marks", (times) => add(inMarks(150, "x<i>y</i>".repeat(100 * times)))],
  ["adding texts and marks in many marks", (times) => add(inMarks(150, "x<em>y</em>".repeat(100 * times)))],
  [
    "adding marks in one another, with more texts",
    (times) => add(inMarks(50 * times, "x<em>y</em>".repeat(50 * times))),
  ],
  ["counting the values of a body", (times) => () => countValues("[{},".repeat(1_000 * times), 1e6)],
])("the steps of %s grow as the input does", async (_, workOf) => {
  await stepsOf(workOf(1));
  const steps: number[] = [];
  for (const times of [1, 2, 4]) steps.push(await stepsOf(workOf(times)));
  // It is about 4 when they grow as the input does, and 16 when they grow with its square. Between them is 8.
  const [once = 0, , fourTimes = 0] = steps;
  expect(fourTimes / once, `steps: ${steps}`).toBeLessThan(8);
});
