// Random documents of ProseMirror: editor, crdt/update, crdt/get, crdt/add of what was printed, editor.
import { Mark, type MarkSpec, type Node, type NodeSpec, Schema } from "prosemirror-model";
import { expect, it } from "vitest";
import { prosemirrorToYDoc, yXmlFragmentToProseMirrorRootNode } from "y-prosemirror";
import * as Y from "yjs";
import { add, loaded, read, send } from "../../../support/crdt.ts";
import { newDocument } from "../../../support/feature-data.ts";
import { isLong } from "../../../support/long.ts";
import fc from "../../../support/property.ts";

const attrs = Object.fromEntries(
  ["href", "level", "meta", "colwidth", "a b", "<x>"].map((name) => [name, { default: null }]),
);

const known = ["link", "textStyle", "highlight", "bold", "strong", "italic", "em", "underline", "strike", "subscript"];
const odd = ["a b", "<x>", "img src=x onerror=alert(1)", "評論", "🦜", "mark.bold", "_x0041_", "x".repeat(200)];
const names = [...known, ...odd, ...Array.from({ length: 40 }, (_, index) => `mark${index}`)];
/** Every third mark can be on a text more than once. y-prosemirror then adds a hash to its name. */
const marks: Record<string, MarkSpec> = Object.fromEntries(
  names.map((name, index) => [name, { attrs, ...(index % 3 === 0 && { excludes: "" }) }]),
);

const nodes: Record<string, NodeSpec> = {
  doc: { content: "block+" },
  paragraph: { content: "inline*", group: "block", attrs },
  heading: { content: "inline*", group: "block", attrs },
  // The name of a mark of other schemas.
  code: { content: "text*", group: "block", attrs },
  "my block": { content: "block+", group: "block", attrs },
  bulletList: { content: "listItem+", group: "block" },
  listItem: { content: "paragraph block*" },
  table: { content: "tableRow+", group: "block" },
  tableRow: { content: "tableCell+" },
  tableCell: { content: "block+", attrs },
  text: { group: "inline" },
  image: { inline: true, group: "inline", attrs },
  hardBreak: { inline: true, group: "inline" },
};
const schema = new Schema({ nodes, marks });

/** JSON has no -0. Yjs takes neither a key `__proto__` nor `constructor` in a value. */
const values = fc
  .oneof(
    fc.constantFrom(
      "42",
      "1.5",
      "true",
      "null",
      "",
      "[1]",
      42,
      1.5,
      true,
      false,
      null,
      [120, 80],
      {},
      { a: [null, "1"] },
    ),
    fc.string({ unit: "grapheme" }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  .map((each) => JSON.parse(JSON.stringify(each).replace(/__proto__|constructor/g, "proto")));
const attributes = fc.dictionary(fc.constantFrom(...Object.keys(attrs)), values, { maxKeys: 3 });
const marksOfText = fc
  .array(fc.tuple(fc.constantFrom(...names), attributes), { maxLength: 5 })
  .map((all) => all.reduce<readonly Mark[]>((set, [name, attrs]) => schema.mark(name, attrs).addToSet(set), Mark.none));
const text = fc
  .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 8 }), marksOfText)
  .map(([each, set]) => schema.text(each, set));

const { block: blocks } = fc.letrec<{ block: Node; item: Node }>((tie) => {
  const node = (name: string, content: fc.Arbitrary<Node[]>) =>
    fc.tuple(attributes, content).map(([given, children]) => schema.node(name, given, children));
  const some = (each: fc.Arbitrary<Node>) => fc.array(each, { minLength: 1, maxLength: 2 });
  const inline = fc.array(
    fc.oneof({ weight: 4, arbitrary: text }, node("image", fc.constant([])), node("hardBreak", fc.constant([]))),
    { maxLength: 4 },
  );
  const paragraph = node("paragraph", inline);
  const cell = node("tableCell", some(tie("block")));
  return {
    block: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      paragraph,
      node("heading", inline),
      node("code", fc.array(text, { maxLength: 3 })),
      node("bulletList", some(tie("item"))),
      node("my block", some(tie("block"))),
      node("table", some(node("tableRow", some(cell)))),
    ),
    item: fc
      .tuple(paragraph, fc.array(tie("block"), { maxLength: 2 }))
      .map(([first, rest]) => schema.node("listItem", null, [first, ...rest])),
  };
});
const documents = fc.array(blocks, { minLength: 1, maxLength: 3 }).map((all) => schema.node("doc", null, all));

/** The document as JSON. The order of marks of one type means nothing. */
const shown = (document: Node) =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === "marks" ? value.map((each: unknown) => JSON.stringify(each)).sort() : value,
  );

const content = { type: "xml", contentKey: "default" };

it("keeps every mark, element, attribute and text", async () => {
  const as = await newDocument();
  let count = 0;
  const property = fc.asyncProperty(documents, async (document) => {
    document.check();
    const [editorId, copyId] = [`e${count++}`, `copy${count}`];
    const update = Y.encodeStateAsUpdate(prosemirrorToYDoc(document, "default"));
    expect((await send(as, update, { ...content, editorId })).error).toBeUndefined();
    const { data } = await read(as, { editorId });
    expect((await add(as, { ...content, editorId: copyId, data })).error).toBeUndefined();
    const copy = await read(as, { editorId: copyId });
    expect(copy.data).toBe(data);
    const fragment = loaded(copy.update).getXmlFragment("default");
    expect(shown(yXmlFragmentToProseMirrorRootNode(fragment, schema))).toEqual(shown(document));
  });
  await fc.assert(property, isLong ? {} : { numRuns: 30 });
});
