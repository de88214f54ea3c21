import { describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { type Content, decode, encode } from "../../../lib/crdt/state.ts";
import fc from "../../support/property.ts";

const contentKey = "content";
const keys = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "constructor", "", "10", "🦜"));
const { value: json } = fc.letrec<{ value: unknown; object: object; list: unknown[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue({ maxDepth: 0 }),
    fc.constantFrom("", 0, -0.1, 2 ** 31, 2 ** 53, 1e300, 5e-324, -(2 ** 40), "\u0000\n🦜"),
    tie("object"),
    tie("list"),
  ),
  object: fc.dictionary(keys, tie("value")),
  list: fc.array(tie("value")),
}));
const objects = fc.dictionary(keys, json);
const text = fc.string({ unit: "binary" });

/** The document of a Yjs client that has loaded the content. */
function loaded(content: Content): Y.Doc {
  const document = new Y.Doc();
  Y.applyUpdate(document, encode(content));
  return document;
}

/** As `toJSON` of Yjs, but keeps a key `__proto__`. */
function plain(value: unknown): unknown {
  if (value instanceof Y.Array) return value.map(plain);
  if (value instanceof Y.Map) return Object.fromEntries([...value.entries()].map(([key, each]) => [key, plain(each)]));
  return value;
}

/** The value after a request: JSON has no -0. */
const asSent = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe("what a Yjs client has put into a map or list", () => {
  const shown = (value: unknown) => {
    const document = new Y.Doc();
    document.getMap(contentKey).set("k", value);
    return decode({ type: "map", contentKey }, Y.encodeStateAsUpdate(document));
  };

  it("is shown as XML if it is XML, with its marks and names", () => {
    const text = new Y.XmlText();
    text.insert(0, "a<b", { tag: "😀" });
    expect(shown(text)).toEqual({ k: `<mark.tag json='"😀"'>a&#60;b</mark.tag>` });
    const element = new Y.XmlElement("listItem");
    element.insert(0, [new Y.XmlText("x")]);
    expect(shown(element)).toEqual({ k: "<listItem>x</listItem>" });
    const fragment = new Y.XmlFragment();
    fragment.insert(0, [new Y.XmlElement("p")]);
    expect(shown(fragment)).toEqual({ k: "<p/>" });
  });
});

describe("a Yjs client", () => {
  it("loads text unchanged", () => {
    fc.assert(
      fc.property(text, keys, (data, contentKey) => {
        expect(loaded({ type: "text", contentKey, data }).getText(contentKey).toString()).toBe(data);
      }),
    );
  });

  it("loads a map, with nested maps and lists as Yjs types", () => {
    fc.assert(
      fc.property(objects.map(asSent), (data) => {
        const map = loaded({ type: "map", contentKey, data }).getMap(contentKey);
        expect(plain(map)).toEqual(data);
        expect([...map.keys()].sort()).toEqual(Object.keys(data).sort());
        if (!JSON.stringify(data).includes("__proto__")) expect(map.toJSON()).toEqual(data);
      }),
    );
  });

  it("loads an array, with nested maps and lists as Yjs types", () => {
    fc.assert(
      fc.property(fc.array(json).map(asSent), (data) => {
        const array = loaded({ type: "array", contentKey, data }).getArray(contentKey);
        expect(plain(array)).toEqual(data);
        if (!JSON.stringify(data).includes("__proto__")) expect(array.toJSON()).toEqual(data);
      }),
    );
  });

  it.each<[Content["type"], unknown]>([
    ["text", ""],
    ["map", {}],
    ["array", []],
    ["array", ["", null, false, 0, {}, []]],
    ["map", { a: { b: [[{ c: [] }]] }, "": "" }],
    ["xml", ""],
  ])("loads empty and nested content: %s %j", (type, data) => {
    const content = { type, contentKey, data };
    expect(decode(content, encode(content))).toEqual(data);
  });

  it("loads 60 levels of nesting", () => {
    const data = JSON.parse(`${'[{"a":'.repeat(30)}1${"}]".repeat(30)}`);
    expect(loaded({ type: "array", contentKey, data }).getArray(contentKey).toJSON()).toEqual(data);
  });
});

describe("decode", () => {
  it.each<[Content["type"], fc.Arbitrary<unknown>]>([
    ["text", text],
    ["map", objects],
    ["array", fc.array(json)],
  ])("returns %s content unchanged, with keys of any name in their order", (type, values) => {
    fc.assert(
      fc.property(values, (data) => {
        const content = { type, contentKey, data };
        expect(JSON.stringify(decode(content, encode(content)))).toBe(JSON.stringify(data));
      }),
    );
  });
});

describe("the update", () => {
  const content: Content = { type: "map", contentKey, data: { a: 1, b: [{ c: "d" }] } };

  it("has the value of a mark once, however many pieces of text have it", () => {
    const pieces = "<bold>x</bold>y".repeat(1_000);
    const sizeOf = (data: string) => encode({ type: "xml", contentKey, data }).byteLength;
    const [short, long] = ["h", "h".repeat(20_000)].map((href) => sizeOf(`<link href="${href}">${pieces}</link>`));
    expect(Number(long) - Number(short)).toBeLessThan(20_010);
    const apart = [1, 2].map((count) => sizeOf(`<link href="${"h".repeat(20_000)}">x</link>`.repeat(count)));
    expect(Number(apart[1]) - Number(apart[0])).toBeLessThan(10);
  });

  it("is the same for equal content, so a client that loads it twice has the content once", () => {
    const [one, other] = [encode(content), encode(structuredClone(content))];
    expect(Buffer.from(one).equals(other)).toBe(true);
    const document = loaded(content);
    Y.applyUpdate(document, other);
    expect(document.getMap(contentKey).toJSON()).toEqual(content.data);
  });

  it("has another client id for other content, so a client with earlier content loads all of it", () => {
    const clientsOf = (each: Content) => [...Y.decodeStateVector(Y.encodeStateVectorFromUpdate(encode(each))).keys()];
    const [first] = clientsOf(content);
    expect(clientsOf({ ...content, data: { a: 2 } })).not.toContain(first);
    expect(clientsOf({ ...content, contentKey: "other" })).not.toContain(first);
  });
});

describe("what was set value by value", () => {
  /** The changes of a client that makes each one by itself. */
  function changes(count: number, change: (document: Y.Doc, index: number) => void): Uint8Array {
    const document = new Y.Doc();
    const updates: Uint8Array[] = [];
    document.on("update", (update: Uint8Array) => void updates.push(update));
    for (let index = 0; index < count; index++) change(document, index);
    return Y.mergeUpdates(updates);
  }

  it("is read from a list without copies of more than 1,000 values", () => {
    const update = changes(3_000, (document, index) => document.getArray(contentKey).push([index]));
    const copy = vi.spyOn(Array.prototype, "concat");
    const data = decode({ type: "array", contentKey }, update);
    const most = Math.max(...copy.mock.results.map(({ value }) => value.length));
    copy.mockRestore();
    expect(data).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
    expect(most).toBe(1_000);
  });

  it("is read from a map without the values of before", () => {
    const update = changes(300, (document, index) => document.getMap(contentKey).set("key", index));
    const join = vi.spyOn(Y.ContentAny.prototype, "mergeWith");
    expect(decode({ type: "map", contentKey }, update)).toEqual({ key: 299 });
    expect(join).not.toHaveBeenCalled();
    join.mockRestore();
  });
});

describe("INVALID_ARGUMENT", () => {
  const limit = 3.5 * 1_024 * 1_024;

  it("is thrown for text whose update is above 3.5 MB, and not for text up to the limit", () => {
    const overhead = encode({ type: "text", contentKey, data: "x".repeat(1e6) }).byteLength - 1e6;
    const most = "x".repeat(limit - overhead - 8);
    expect(encode({ type: "text", contentKey, data: most }).byteLength).toBeGreaterThan(limit - 16);
    expect(() => encode({ type: "text", contentKey, data: `${most}${"x".repeat(17)}` })).toThrow("data: ");
  });

  it("is thrown for pieces of text with more than 500,000 marks together", () => {
    const levels = Array.from({ length: 240 }, (_, level) => level);
    const nested = `${levels.map((level) => `<mark.m${level}>t`).join("")}${levels.map((level) => `</mark.m${239 - level}>`).join("")}`;
    const of = (count: number) => ({ type: "xml" as const, contentKey, data: `<p>${nested.repeat(count)}</p>` });
    expect(() => encode(of(18))).toThrow("at most 500,000 marks");
    expect(encode(of(17)).byteLength).toBeLessThan(200_000);
  });

  it.each<[Content["type"], unknown]>([
    ["array", new Array(500_000).fill([])],
    ["array", new Array(500_000).fill(0.1)],
    ["map", Object.fromEntries(Array.from({ length: 500_000 }, (_, index) => [`${index}k`, 0]))],
    ["xml", "<a/>".repeat(500_000)],
    ["xml", `<a ${Array.from({ length: 500_000 }, (_, index) => `a${index}=''`).join(" ")}/>`],
  ])("is thrown for a large number of small items in %s content", (type, data) => {
    expect(() => encode({ type, contentKey, data })).toThrow("data: Its Yjs update must have at most 3.5 MB.");
  });
});
