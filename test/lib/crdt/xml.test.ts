import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { decode, encode } from "../../../lib/crdt/state.ts";
import { parseXml, printXml, type XmlNode } from "../../../lib/crdt/xml.ts";
import fc from "../../support/property.ts";

const contentKey = "default";
const parse = (text: string) => parseXml(text, () => {});

const names = fc.constantFrom("p", "B", "ns:tag", "é", "_", "__proto__", "constructor", "data-x.1");
/** Texts without the characters that XML 1.0 forbids: most control characters, U+FFFE and U+FFFF. */
const texts = fc
  .array(
    fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("<", ">", "&", '"', "'", "]]>", "\t", "\n", "\r", " ")),
  )
  .map((parts) => parts.join(""))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
  .map((text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""));

const { nodes: trees } = fc.letrec<{ nodes: XmlNode[] }>((tie) => ({
  nodes: fc
    .array(
      fc.oneof(
        { maxDepth: 4 },
        texts,
        fc.record({
          name: names,
          attributes: fc.uniqueArray(fc.tuple(names, texts), { selector: ([name]) => name }),
          children: tie("nodes"),
        }),
      ),
      { maxLength: 4 },
    )
    .map((nodes) =>
      nodes.filter((node, index) => node !== "" && (typeof node !== "string" || typeof nodes[index - 1] !== "string")),
    ),
}));

/** The tree of a Yjs client that has loaded the fragment. */
function loaded(data: string): XmlNode[] {
  const document = new Y.Doc();
  Y.applyUpdate(document, encode({ type: "xml", contentKey, data }));
  const read = (parent: Y.XmlFragment): XmlNode[] =>
    parent.toArray().map((child) => {
      if (!(child instanceof Y.XmlElement)) return child.toString();
      const attributes = [...child._map.keys()].map((name): [string, string] => [
        name,
        String(child.getAttribute(name) ?? ""),
      ]);
      return { name: child.nodeName, attributes, children: read(child) };
    });
  return read(document.getXmlFragment(contentKey));
}

const element = (name: string, children: XmlNode[] = [], attributes: [string, string][] = []) => ({
  name,
  attributes,
  children,
});

describe("a Yjs client", () => {
  it("loads any tree of elements, attributes and text unchanged", () => {
    fc.assert(fc.property(trees, (tree) => void expect(loaded(printXml(tree))).toEqual(tree)));
  });

  it.each<[string, XmlNode[]]>([
    ["", []],
    [" ", [" "]],
    ["only text", ["only text"]],
    ["<p/>", [element("p")]],
    ["<p></p>", [element("p")]],
    ["<p> a <b>c</b>\n</p>", [element("p", [" a ", element("b", ["c"]), "\n"])]],
    ["<p>a</p> <p>b</p>", [element("p", ["a"]), " ", element("p", ["b"])]],
    [
      "<a b='1' c=\"x &quot; y\"/>",
      [
        element(
          "a",
          [],
          [
            ["b", "1"],
            ["c", 'x " y'],
          ],
        ),
      ],
    ],
    ["&lt;&gt;&amp;&apos;&quot;&#65;&#x1F99C;", ["<>&'\"A🦜"]],
    ["a<![CDATA[<b>&]]>c", ["a<b>&c"]],
    ["a<!-- dropped -->b<?dropped too?>c", ["abc"]],
    ["a\r\nb\rc", ["a\nb\nc"]],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<a> x </a>\n', [element("a", [" x "])]],
    ["🦜<é ü='ñ'/>", ["🦜", element("é", [], [["ü", "ñ"]])]],
  ])("loads %j as the same tree", (data, expected) => {
    expect(loaded(data)).toEqual(expected);
  });
});

it("decode returns XML of the same tree", () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const content = { type: "xml" as const, contentKey, data: printXml(tree) };
      expect(loaded(decode(content, encode(content)) as string)).toEqual(tree);
    }),
  );
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ...["<a>", "</a>", "<a></b>", "<A></a>", "<a", "<a b='", "< a/>", "<1/>", "<a b/>", "<a b=1/>", "<a b='<'/>"],
    ...["<a b='1' b='2'/>", "<a b='1'c='2'/>", "a & b", "a < b", "]]>", "<!--", "<!-- a -- b -->", "<![CDATA["],
    ...["&nbsp;", "&constructor;", "&__proto__;", "&amp", "&#0;", "&#xD800;", "&#x110000;", "<a b='&x;'/>"],
    ...["\u0000", "\u0001", "\ufffe", "</_><_>", "</_>", "</_><!--"],
    ...["<!DOCTYPE a>", "<!DOCTYPE a><a/>", "<a><!DOCTYPE a></a>", "<!ENTITY a 'b'>", "<!ELEMENT a>"],
    ..."<a/>|<a/><b/>|a|<!DOCTYPE a><a/>|<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"
      .split("|")
      .slice(1)
      .map((rest) => `<?xml version="1.0"?>${rest}`),
    ...[" <?xml version='1.0'?><a/>", "<?xml version='1.0'?>", "<?xml version='1.1'?><a>&#1;</a>"],
  ])("is thrown for %j", (data) => {
    expect(() => parse(data)).toThrow(/^data: Is malformed XML or has a DOCTYPE: see line \d+\.$/);
  });

  it("names the line of the first error", () => {
    expect(() => parse("<a>\n<b>\n</a>")).toThrow("line 3");
  });

  it("is thrown for more than 256 levels of elements", () => {
    const nested = (levels: number) => "<a>".repeat(levels) + "</a>".repeat(levels);
    expect(printXml(loaded(nested(256)))).toHaveLength(255 * 7 + 4);
    for (const levels of [257, 1_000_000]) expect(() => parse(nested(levels))).toThrow("256 levels");
    const declared = (levels: number) => `<?xml version="1.0"?>${nested(levels)}`;
    expect(printXml(loaded(declared(256)))).toHaveLength(255 * 7 + 4);
    expect(() => parse(declared(257))).toThrow("256 levels");
  });

  it("does not quote the input in its message", () => {
    expect(() => parse("<secret></other>")).not.toThrow(/secret|other/);
  });
});
