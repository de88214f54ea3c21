import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { decode, encode } from "../../../lib/crdt/state.ts";
import { printXml, type XmlNode } from "../../../lib/crdt/xml.ts";
import fc from "../../support/property.ts";

const contentKey = "default";
const contentOf = (data: string) => ({ type: "xml" as const, contentKey, data });

function loaded(state: Uint8Array): Y.XmlFragment {
  const document = new Y.Doc();
  Y.applyUpdate(document, state);
  return document.getXmlFragment(contentKey);
}

const fragmentOf = (data: string) => loaded(encode(contentOf(data)));
const printOf = (fragment: Y.XmlFragment) =>
  decode({ type: "xml", contentKey }, Y.encodeStateAsUpdate(fragment.doc as Y.Doc)) as string;

type Shown = { name: string; attributes: object; children: Shown[] } | object[];

/** The content as a Yjs client sees it: elements with their attributes, and the deltas of texts. */
function shown(fragment: Y.XmlFragment): Shown[] {
  return fragment.toArray().map((child) => {
    if (!(child instanceof Y.XmlElement)) return (child as Y.XmlText).toDelta() as object[];
    return { name: child.nodeName, attributes: child.getAttributes(), children: shown(child) };
  });
}

const element = (name: string, children: Shown[] = [], attributes: object = {}) => ({ name, attributes, children });

const names = fc.constantFrom("bold", "italic", "link", "code", "textStyle", "paragraph", "hardBreak", "Heading", "b");
const values = fc.oneof(
  fc.constantFrom("1", "01", "-7", "true", "false", "", "1e3", "9007199254740993", "<&\"'>"),
  fc.string(),
);
const texts = fc
  .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("<", "&amp;", "]]>", "\r", "\n", "\t", " ")))
  .map((parts) => parts.join(""))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
  .map((text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""));
const attributes = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom("href", "level", "checked", "colour", "class"),
    values.map((text) => text.replace(/[^\x20-\x7e]/g, "")),
  ),
  { selector: ([name]) => name, maxLength: 3 },
);
const { nodes: trees } = fc.letrec<{ nodes: XmlNode[] }>((tie) => ({
  nodes: fc.array(fc.oneof({ maxDepth: 5 }, texts, fc.record({ name: names, attributes, children: tie("nodes") })), {
    maxLength: 4,
  }),
}));

describe("a Yjs client", () => {
  it.each<[string, Shown[]]>([
    [
      "<paragraph>Hello, <bold>world</bold>!</paragraph>",
      [element("paragraph", [[{ insert: "Hello, " }, { insert: "world", attributes: { bold: {} } }, { insert: "!" }]])],
    ],
    [
      "<bold>a<italic>b</italic></bold>",
      [
        [
          { insert: "a", attributes: { bold: {} } },
          { insert: "b", attributes: { bold: {}, italic: {} } },
        ],
      ],
    ],
    [
      '<paragraph><link href="1" target="true" width="2">a</link></paragraph>',
      [element("paragraph", [[{ insert: "a", attributes: { link: { href: "1", target: true, width: 2 } } }]])],
    ],
    [
      "<paragraph>a<hardBreak/><strong>b</strong></paragraph>",
      [element("paragraph", [[{ insert: "a" }], element("hardBreak"), [{ insert: "b", attributes: { strong: {} } }]])],
    ],
    ["<bold/>", [element("bold")]],
    ["<bold>a<hardBreak/></bold>", [element("bold", [[{ insert: "a" }], element("hardBreak")])]],
    ["<bold>a<italic/></bold>", [element("bold", [[{ insert: "a" }], element("italic")])]],
    ["<Bold>a</Bold><b>c</b>", [element("Bold", [[{ insert: "a" }]]), element("b", [[{ insert: "c" }]])]],
    [
      '<heading level="2" id="3" class="true" open="false" n="-4" big="9007199254740993" pad="02"/>',
      [
        element("heading", [], {
          level: 2,
          id: "3",
          class: "true",
          open: false,
          n: -4,
          big: "9007199254740993",
          pad: "02",
        }),
      ],
    ],
    ["<code>a &lt; b</code>", [[{ insert: "a < b", attributes: { code: {} } }]]],
  ])("sees %s as formatting, elements and typed attributes", (data, expected) => {
    expect(shown(fragmentOf(data))).toEqual(expected);
  });
});

describe("what is printed", () => {
  it("has the same content when it is sent again, and is printed the same", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const first = fragmentOf(printXml(tree));
        const printed = printOf(first);
        const second = fragmentOf(printed);
        expect(shown(second)).toEqual(shown(first));
        expect(printOf(second)).toBe(printed);
      }),
    );
  });

  it.each([
    '<heading level="2">Plan</heading><paragraph>Hello, <bold>world</bold>!</paragraph>',
    '<paragraph><bold>a<italic>b</italic>c</bold><link href="https://example.com/?a=1&#38;b=2">d</link></paragraph>',
    "<paragraph>&#60;tag&#62; &#38; text<hardBreak/>x</paragraph>",
    "<bulletList><listItem><paragraph><code>x</code></paragraph></listItem></bulletList>",
  ])("is what was sent: %s", (data) => {
    expect(printOf(fragmentOf(data))).toBe(data);
  });

  it("has one form for what editors write in many ways", () => {
    const document = new Y.Doc();
    const fragment = document.getXmlFragment(contentKey);
    const paragraph = new Y.XmlElement("paragraph");
    const [one, other] = [new Y.XmlText(), new Y.XmlText()];
    fragment.insert(0, [paragraph]);
    paragraph.insert(0, [one, other]);
    one.applyDelta([
      { insert: "a", attributes: { bold: {}, italic: true } },
      { insert: "b", attributes: { bold: {}, link: { href: "x", target: null } } },
    ]);
    other.applyDelta([{ insert: "c\u0001", attributes: { bold: {} } }, { insert: { image: "x" } }]);
    paragraph.setAttribute("level", 2 as never);
    paragraph.setAttribute("gone", "x");
    paragraph.removeAttribute("gone");
    paragraph.setAttribute("widths", [1, 2] as never);
    expect(printOf(fragment)).toBe(
      '<paragraph level="2" json.widths="[1,2]"><bold><italic json="true">a</italic>' +
        '<link href="x" json.target="null">b</link>c<char.0001/></bold></paragraph>',
    );
  });

  it("shows a mark that the service does not know, of any name", () => {
    const document = new Y.Doc();
    const fragment = document.getXmlFragment(contentKey);
    const text = new Y.XmlText();
    fragment.insert(0, [text]);
    text.applyDelta([{ insert: "a", attributes: { comment: { thread: "t" }, "no name": {} } }]);
    expect(printOf(fragment)).toBe(
      '<mark.comment thread="t"><mark.no_x0020_name>a</mark.no_x0020_name></mark.comment>',
    );
  });

  it("is nothing where the pieces of text have more than 500,000 marks together", () => {
    const formatted = (pieces: number) => {
      const document = new Y.Doc();
      const text = new Y.XmlText();
      document.getXmlFragment(contentKey).insert(0, [text]);
      document.transact(() => {
        text.insert(0, "x".repeat(pieces));
        text.format(0, pieces, Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`m${index}`, true])));
        for (let at = 0; at < pieces; at += 2) text.format(at, 1, { z: true });
      });
      return printOf(document.getXmlFragment(contentKey));
    };
    expect(formatted(500)).toMatch(/^<mark\.m0 json="true"><mark\.m1 .*x<\/mark\.z>x<mark\.z /);
    expect(formatted(502)).toBeUndefined();
  });

  it("is nothing where it would be longer than 6 MB", () => {
    const withHoles = (marks: number) => {
      const document = new Y.Doc();
      const text = new Y.XmlText();
      document.getXmlFragment(contentKey).insert(0, [text]);
      const names = Array.from({ length: marks }, (_, index) => `m${index}`);
      document.transact(() => {
        text.insert(0, "ab".repeat(marks));
        text.format(0, 2 * marks, Object.fromEntries(names.map((name) => [name, { v: "x".repeat(1_500) }])));
        for (const [index, name] of names.entries()) text.format(2 * index, 1, { [name]: null });
      });
      return printOf(document.getXmlFragment(contentKey));
    };
    expect(withHoles(50)?.length).toBeGreaterThan(1_500_000);
    expect(withHoles(150)).toBeUndefined();
  });
});
