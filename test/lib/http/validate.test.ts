import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { ApiError, Issue } from "../../../lib/errors.ts";
import { validate } from "../../../lib/http/validate.ts";
import { Id, ids, listOf, optional, Text } from "../../../lib/schema/primitives.ts";

function issuesOf(schema: z.ZodMiniType, data: unknown): Issue[] {
  try {
    validate(schema, data);
  } catch (thrown) {
    return (thrown as ApiError & { details: { issues: Issue[] } }).details.issues;
  }
  throw new Error("Nothing was refused.");
}

describe("null", () => {
  const schema = z.object({
    plain: optional(Text),
    clearing: optional(z.nullable(Text)),
    inside: optional(z.object({ plain: optional(Text) })),
    list: optional(listOf(z.object({ plain: optional(Text) }))),
    content: optional(z.record(z.string(), z.unknown())),
    required: z.nullable(Text),
  });

  it("means absent for an optional field, at any depth", () => {
    const data = { plain: null, inside: { plain: null }, list: [{ plain: null }], required: null };
    expect(validate(schema, data)).toEqual({ inside: {}, list: [{}], required: null });
  });

  it("is kept for a nullable field, and inside free-form content", () => {
    const data = { clearing: null, content: { a: null }, required: null };
    expect(validate(schema, structuredClone(data))).toEqual(data);
  });

  it("is refused for a required field", () => {
    expect(issuesOf(z.object({ id: Id }), { id: null })).toMatchObject([{ path: ["id"] }]);
  });
});

describe("issues", () => {
  it("list all invalid fields, with indexes as strings", () => {
    const schema = z.object({ id: Id, list: listOf(z.object({ id: Id, text: optional(Text) })) });
    const issues = issuesOf(schema, { list: [{ id: "a" }, { text: 1 }] });
    expect(issues).toEqual([
      { code: "invalid_type", path: ["id"], message: "Is required." },
      { code: "invalid_type", path: ["list", "1", "id"], message: "Is required." },
      { code: "invalid_type", path: ["list", "1", "text"], message: "Must be a string." },
    ]);
  });

  it("name the unknown field that probably is the missing one, at any depth", () => {
    const inner = z.object({ id: Id, documentId: Id, documentIds: optional(ids()) });
    const schema = z.object({ folderId: Id, list: optional(listOf(inner)) });
    const data = { folderid: "a", list: [{ documentIds: ["b"], documenId: "c", id: "d" }], other: 1 };
    expect(issuesOf(schema, data).map(({ message }) => message)).toEqual([
      'Is required. You sent "folderid".',
      'Is required. You sent "documenId".',
    ]);
    expect(issuesOf(schema, { other: 1 })).toMatchObject([{ message: "Is required." }]);
  });

  it("name a misspelled field in the first 100", () => {
    const schema = z.object({ list: listOf(z.object({ folderId: Id })) });
    const issues = issuesOf(schema, { list: Array.from({ length: 101 }, () => ({ folderid: "a" })) });
    const named = issues.map(({ message }) => message.includes("folderid"));
    expect(named).toEqual([...new Array(100).fill(true), false]);
  });

  it("list at most 1,000 unknown fields of an object, so that a reply has room for them", () => {
    const schema = z.object({ filters: z.strictObject({ documentIds: optional(ids()) }) });
    const filters = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`documentId${index}`, 1]));
    expect(issuesOf(schema, { filters })).toHaveLength(1_000);
  });

  it("suggest the known field for a refused one", () => {
    const schema = z.object({ folderId: Id });
    expect(() => validate(schema, { folderId: "a" }, ["foldrId"])).toThrow(
      "foldrId: Is not a known field. Did you mean folderId?",
    );
    expect(() => validate(schema, { folderId: "a" }, ["other"])).toThrow(/^other: Is not a known field\.$/);
  });

  it("keep a rule's own message for a missing field", () => {
    const rule = z.refine<{ b?: unknown }>(({ b }) => b !== undefined, { error: "Is required with a.", path: ["b"] });
    const schema = z.object({ a: Text, b: optional(Text) }).check(rule);
    expect(issuesOf(schema, { a: "" })).toEqual([{ code: "custom", path: ["b"], message: "Is required with a." }]);
  });

  it("have a message for the type when the schema has none", () => {
    // The SDKs of the AI vendors set messages in English for all of zod.
    z.config({ localeError: undefined });
    expect(issuesOf(z.object({ a: z.string() }), { a: 1 })).toMatchObject([{ message: "Must be of type string." }]);
  });

  it("describe an entry of a record whose name is invalid", () => {
    const schema = z.object({ access: z.record(Id, Text, "Must be an object.") });
    expect(issuesOf(schema, { access: { "": "x" } })).toMatchObject([
      { path: ["access", ""], message: "Must have 1 to 256 characters." },
    ]);
  });
});

describe("a list over its limit", () => {
  it("is refused without validation of its entries", () => {
    for (const entry of ["a", 1]) {
      const issues = issuesOf(z.object({ ids: ids(3) }), { ids: new Array(1_000_000).fill(entry) });
      expect(issues).toEqual([{ code: "too_big", path: ["ids"], message: "Must have at most 3 entries." }]);
    }
  });
});

describe("unknown fields", () => {
  it("are removed, with any name", () => {
    const data = JSON.parse('{"id":"a","constructor":1,"other":null}');
    const valid = validate(z.object({ id: Id }), data);
    expect(Object.keys(valid)).toEqual(["id"]);
  });
});

describe("a field named __proto__", () => {
  const message = "The name __proto__ is reserved. Use another name.";
  const schema = z.object({ id: Id, more: z.optional(z.record(z.string(), z.unknown())) });

  it("is refused at any depth, beside other invalid fields", () => {
    const data = JSON.parse('{"id":7,"__proto__":null,"more":{"a":[{"__proto__":{"b":1}}]},"other":{"__proto__":1}}');
    expect(issuesOf(schema, data)).toEqual([
      { code: "invalid_type", path: ["id"], message: expect.any(String) },
      { code: "custom", path: ["__proto__"], message },
      { code: "custom", path: ["more", "a", "0", "__proto__"], message },
      { code: "custom", path: ["other", "__proto__"], message },
    ]);
  });

  it("has its own path after and beside deeper fields", () => {
    const data = JSON.parse(
      '{"id":"a","more":{"a":{"b":{"__proto__":1}},"__proto__":{"__proto__":1},"c":[{},null]},"d":{}}',
    );
    const paths = issuesOf(schema, Object.assign(data, JSON.parse('{"e":{"__proto__":1}}'))).map(({ path }) => path);
    expect(paths).toEqual([
      ["more", "a", "b", "__proto__"],
      ["more", "__proto__"],
      ["e", "__proto__"],
    ]);
  });

  it("is listed at most 100 times", () => {
    const list = JSON.parse(`[${new Array(200).fill('{"__proto__":1}')}]`);
    expect(issuesOf(schema, { id: "a", more: { list } })).toHaveLength(100);
  });

  it("is the only such name", () => {
    const data = JSON.parse('{"id":"__proto__","more":{"constructor":{"prototype":1},"toString":2,"":3}}');
    expect(validate(schema, data)).toEqual(data);
  });
});
