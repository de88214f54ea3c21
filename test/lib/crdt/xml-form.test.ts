// What crdt/get prints of elements, attributes and marks with any names and values, crdt/add takes as the same content.
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { parseXml, type XmlNode } from "../../../lib/crdt/xml.ts";
import { add, bytes, read, send } from "../../support/crdt.ts";
import { newDocument } from "../../support/feature-data.ts";

const content = { type: "xml", contentKey: "default" };

const oddNames = [
  ...["constructor", "__proto__", "toString", "", " ", "a b", "<x>", "img src=x onerror=alert(1)", '"', "'", "a=b"],
  ...["/", "highlight--AbC+/12=", "comment--a1B2c3+/", "-a", "1", "a:b", "xmlns", "é", "²", "評論", "🦜", "\n"],
  ...["\u0000", "\ufffe", "_x0041_", "_x", "_x005F_x0041_", "__x0020_", "x0020_", "node.p", "mark.bold", "json.a"],
  ...["json", "char.0001", "ychange", "node.", "mark.", "json.", "bold", "code", "href", "paragraph"],
  ...["a".repeat(200), "🦜".repeat(200)],
];
const cases = oddNames.map((name) => ({ name, shown: JSON.stringify(name.slice(0, 30)) }));

const values = [
  ...["", "a", "42", "-7", "1.5", "01", "true", "null", "[1]", "{}", '"', "'", `"'`, "<&\t\n\r>", "\u0000\uffff", "🦜"],
  ...[42, -7, 0, 1.5, 1e21, 5e-324, true, false, null, [120, 80], [], {}, { a: { b: [null, "1", 1] } }, [[{}]]],
];

type Shown =
  | [name: string, attributes: [string, unknown][], children: Shown[]]
  | [text: string, marks: [string, unknown][]][];

/** The content in maps, which have any name. Texts that follow one another are one. */
function shown(parent: Y.XmlFragment): Shown[] {
  const result: Shown[] = [];
  for (const child of parent.toArray()) {
    if (!(child instanceof Y.XmlElement)) {
      result.push(piecesOf(child as Y.XmlText));
      continue;
    }
    const names = [...child._map].flatMap(([name, { deleted }]) => (deleted ? [] : [name])).sort();
    result.push([child.nodeName, names.map((name) => [name, child.getAttribute(name)]), shown(child)]);
  }
  return result;
}

function piecesOf(text: Y.XmlText): [string, [string, unknown][]][] {
  const marks = new Map<string, unknown>();
  const pieces: [string, [string, unknown][]][] = [];
  for (let item = text._start; item; item = item.right) {
    if (item.content instanceof Y.ContentFormat) {
      if (item.content.value === null) marks.delete(item.content.key);
      else marks.set(item.content.key, item.content.value);
    } else if (item.content instanceof Y.ContentString)
      pieces.push([item.content.str, [...marks].sort(([one], [other]) => (one < other ? -1 : 1))]);
  }
  return pieces;
}

const fragmentOf = (update: string) => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, bytes(update));
  return doc.getXmlFragment("default");
};

/** Sends what `fill` writes, and adds what is printed as another editor. */
async function roundTrip(fill: (fragment: Y.XmlFragment) => void) {
  const as = await newDocument();
  const doc = new Y.Doc();
  const fragment = doc.getXmlFragment("default");
  doc.transact(() => fill(fragment));
  expect((await send(as, Y.encodeStateAsUpdate(doc), content)).error).toBeUndefined();
  const { data } = await read(as);
  expect((await add(as, { ...content, editorId: "copy", data })).error).toBeUndefined();
  const copy = await read(as, { editorId: "copy" });
  expect(copy.data).toBe(data);
  expect(shown(fragmentOf(copy.update))).toEqual(shown(fragment));
  return data as string;
}

function namesIn(nodes: readonly XmlNode[]): string[] {
  return nodes.flatMap((node) =>
    typeof node === "string" ? [] : [node.name, ...node.attributes.map(([name]) => name), ...namesIn(node.children)],
  );
}

/** Attributes that inherit no name. */
const ownOf = (entries: [string, unknown][]) => Object.assign(Object.create(null), Object.fromEntries(entries));

describe("a name", () => {
  it.each(cases)("$shown of an element is kept, as safe markup", async ({ name }) => {
    const data = await roundTrip((fragment) => {
      const element = new Y.XmlElement(name);
      fragment.insert(0, [element, new Y.XmlElement("paragraph")]);
      element.insert(0, [new Y.XmlText("text")]);
    });
    expect(data).toMatch(/^<[A-Za-z_][\w.-]*>text<\/[A-Za-z_][\w.-]*><paragraph\/>$/);
  });

  it.each(cases)("$shown of a mark is kept on its text only, as safe markup", async ({ name }) => {
    const data = await roundTrip((fragment) => {
      const text = new Y.XmlText();
      fragment.insert(0, [text]);
      text.applyDelta([
        { insert: "a", attributes: ownOf([[name, { [name]: name }]]) },
        {
          insert: "b",
          attributes: ownOf([
            [name, { [name]: name }],
            ["em", {}],
          ]),
        },
        { insert: "c", attributes: ownOf([]) },
        { insert: "d", attributes: ownOf([["em", {}]]) },
      ]);
    });
    for (const each of namesIn(parseXml(data, () => {}))) expect(each).toMatch(/^[A-Za-z_][\w.-]*$/);
  });

  it("of an attribute is kept with values of all types, as safe markup", async () => {
    const data = await roundTrip((fragment) => {
      for (const value of values) {
        const element = new Y.XmlElement("image");
        fragment.push([element]);
        for (const name of oddNames) element.setAttribute(name, value as string);
      }
    });
    for (const each of namesIn(parseXml(data, () => {}))) expect(each).toMatch(/^[A-Za-z_][\w.-]*$/);
  });
});

describe("a mark", () => {
  it("is kept with values of all types, and with attributes of all types", async () => {
    await roundTrip((fragment) => {
      const text = new Y.XmlText();
      fragment.insert(0, [text]);
      const marks = [...values, "\ud800", { "\udc00": "a\ud800" }].flatMap((value) =>
        value === null ? [] : [value, { level: value, href: value, json: value }],
      );
      text.applyDelta(
        ["bold", "comment"].flatMap((name) =>
          marks.flatMap((value) => [
            { insert: "a", attributes: ownOf([[name, value]]) },
            { insert: "b", attributes: ownOf([]) },
          ]),
        ),
      );
    });
  });

  it("is told apart from an element of its name", async () => {
    const data = await roundTrip((fragment) => {
      const element = new Y.XmlElement("code");
      const text = new Y.XmlText();
      fragment.insert(0, [element, text]);
      element.insert(0, [new Y.XmlText("a")]);
      text.applyDelta([{ insert: "a", attributes: { code: {} } }]);
    });
    expect(data).toBe("<node.code>a</node.code><code>a</code>");
  });
});

it("keeps characters that XML does not have", async () => {
  const characters = Array.from({ length: 0x2_10 }, (_, index) =>
    String.fromCharCode(index < 0x200 ? index : index + 0xfdf0),
  ).join("");
  await roundTrip((fragment) => fragment.insert(0, [new Y.XmlText(characters)]));
  const data = await roundTrip((fragment) => fragment.insert(0, [new Y.XmlText("a\u0001b\uffff")]));
  expect(data).toBe("a<char.0001/>b<char.FFFF/>");
});

describe("INVALID_ARGUMENT", () => {
  const deep = (levels: number) => `<a json.b="${"[".repeat(levels)}${"]".repeat(levels)}"/>`;

  it("is returned for very deep JSON", async () => {
    expect((await add(await newDocument(), { ...content, data: deep(100_000) })).error?.status).toBe(
      "INVALID_ARGUMENT",
    );
  });

  it.each([
    ...["<a json.b='x'/>", "<a json.b=''/>", "<a json.b='undefined'/>", "<bold json='x'>a</bold>"],
    ...["<a json.b='9007199254740993'/>", "<a json.b='[1e400]'/>", deep(65)],
    ...[
      "<a json.b='1e-400'/>",
      `<a json.b='[{"c":1,"c":2}]'/>`,
      `<a json.b='"\\ud800"'/>`,
      `<a json.b='{"\\ud800":1}'/>`,
    ],
    ...["a<char.D800/>", "<char.DE00/><char.D83D/>", "<bold><char.D83D/></bold><char.DE00/>", "<node.a_xD800_/>"],
    ...["<mark.a_xDC00_>b</mark.a_xDC00_>", "<a json.b_xD800_='1'/>", `<a json.b='[{"c":"\\udc00"}]'/>`],
    ...["<a b='1' json.b='1'/>", "<a json._x0062_='1' json.b='1'/>"],
    ...[`<a json.b='{"constructor":1}'/>`, `<a json.b='[{"__proto__":1}]'/>`],
    ...["<mark.a/>", "<mark.a>b<c/></mark.a>", "<mark.a>b<bold/></mark.a>", "<p><em>b<mark.a/></em></p>"],
  ])("is returned for %j", async (data) => {
    const as = await newDocument();
    const { error } = await add(as, { ...content, data });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["data"] }] } });
    expect((await send(as, bytes("AAA="))).error?.status).toBe("NOT_FOUND");
  });

  it.each([
    deep(64),
    `<a json.b='[{"constructor":1}]'/>`,
    `<mark.a json='{"b":["\\ud800"]}'>b</mark.a>`,
    "<char.D83D/><char.DE00/>",
    `<mark.a json='{"constructor":{"__proto__":1}}'>b</mark.a>`,
    "<a json.b='9007199254740992'/>",
    "<a json.b=' [ 1 ] '/>",
    "<bold json='1' b='2'>a</bold>",
    "<a json='x'/>",
  ])("is not returned for %j", async (data) => {
    expect((await add(await newDocument(), { ...content, data })).error).toBeUndefined();
  });
});
