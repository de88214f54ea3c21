import { beforeAll, describe, expect, it } from "vitest";
import { fieldNames } from "../../lib/http/schema-fields.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, call } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, named, others, posts, samples } from "../support/contract/requests.ts";
import { type Field, fieldsOf, hollowOf, valueAt, withValue } from "../support/contract/schema-fields.ts";
import { expectRefused, issuesOf, pathsOf, storedOf } from "../support/refusal.ts";

let alice: Credentials;
let before: Record<string, unknown>;

beforeAll(async () => {
  alice = await furnishedWorkspace();
  before = await storedOf(alice);
});

const nameOf = ({ path }: Field) => path.join(".");

const invalidIds: Record<string, string> = {
  "an empty text": "",
  "257 characters": "x".repeat(257),
  "257 characters of four bytes": "😀".repeat(257),
  NUL: "a\0b",
  "a line break": "a\nb",
  DEL: "a\u007f",
  "a C1 control": "\u0085a",
  "a lone surrogate": "a\ud800",
};

const withFields = posts.filter(({ data }) => fieldsOf(data).length > 0);

describe.each(samples)("$name: INVALID_ARGUMENT", (endpoint) => {
  const fields = fieldsOf(endpoint.data);
  const refuse = async (data: object) => {
    const reply = await call(endpoint, { as: alice, data });
    expectRefused(reply, "INVALID_ARGUMENT");
    return reply;
  };

  const required = fields.filter(({ path, isRequired }) => isRequired && path.length === 1);
  const hollow = hollowOf(endpoint.data) as object;
  const missing = fields.filter(({ path, isRequired }) => isRequired && valueAt(hollow, path) === undefined);

  it.each(required.length > 0 ? [required] : [])("lists every missing field", async (...required) => {
    const reply = await refuse({});
    const issues = issuesOf(reply).filter(({ code }) => code !== "custom");
    expect(issues.map(({ path }) => path.join(".")).sort()).toEqual(required.map(nameOf).sort());
    for (const issue of issues) {
      expect(issue).toEqual({
        code: expect.stringMatching(/./),
        path: expect.any(Array),
        message: expect.stringMatching(/^Is required\./),
      });
    }
    expect(reply.error?.message).toContain(required.length > 1 ? "see details.issues" : "Is required.");
  });

  it.each(missing.length > 0 ? [missing] : [])(
    "lists every missing field inside of other fields",
    async (...missing) => {
      const issues = issuesOf(await refuse(hollow)).filter(({ code }) => code !== "custom");
      expect(issues.map(({ path }) => path.join(".")).sort()).toEqual(missing.map(nameOf).sort());
    },
  );

  it.each(fields.filter(({ wrong }) => wrong.length > 0).map((each) => [nameOf(each), each] as const))(
    "names %s when its type is wrong",
    async (name, { path, wrong }) => {
      for (const value of wrong) {
        const reply = await refuse(withValue(dataOf(endpoint), path, value));
        expect(pathsOf(reply), JSON.stringify(value)).toContain(name);
        for (const issue of issuesOf(reply)) expect(issue.path.every((each) => typeof each === "string")).toBe(true);
      }
    },
  );

  it("names an invalid id", async () => {
    for (const field of fields.filter(({ isId }) => isId)) {
      for (const [name, id] of Object.entries(invalidIds)) {
        const reply = await refuse(withValue(dataOf(endpoint), field.path, id));
        if (name !== "a lone surrogate") expect(pathsOf(reply), name).toContain(nameOf(field));
      }
    }
  });

  it("is returned for one entry more than a list can have, or fewer than it must have", async () => {
    for (const { path, type, entries } of fields) {
      if (type !== "array") continue;
      const { minimum = 0, maximum = Number.NaN } = entries;
      expect(maximum, path.join(".")).toBeLessThanOrEqual(1_000);
      const [entry = "x"] = (valueAt(dataOf(endpoint), path) ?? []) as unknown[];
      const over = await refuse(withValue(dataOf(endpoint), path, new Array(maximum + 1).fill(entry)));
      expect(issuesOf(over)).toMatchObject([{ code: "too_big", path }]);
      if (minimum > 0) expect(pathsOf(await refuse(withValue(dataOf(endpoint), path, [])))).toEqual([path.join(".")]);
    }
  });
});

/** Its own schema is what an endpoint adds. The fields themselves are in `request-fields.txt`. */
it.each(withFields.filter((each) => others.includes(each)))(
  "$name: INVALID_ARGUMENT names a field whose type is wrong",
  async (endpoint) => {
    const [field] = fieldsOf(endpoint.data).filter(({ wrong }) => wrong.length > 0) as [Field];
    const reply = await call(endpoint, { as: alice, data: withValue(dataOf(endpoint), field.path, field.wrong[0]) });
    expectRefused(reply, "INVALID_ARGUMENT");
    expect(pathsOf(reply)).toContain(nameOf(field));
  },
);

it("a request with invalid fields changes nothing", async () => {
  expect(await storedOf(alice)).toEqual(before);
});

it("many invalid entries have a reply of at most 1,001 issues", async () => {
  const body = `{"data":{"organizationId":"acme","userIds":[${"1,".repeat(190_000)}1]}}`;
  const reply = await call(named("users-delete"), { as: alice, body });
  expectRefused(reply, "INVALID_ARGUMENT");
  expect(issuesOf(reply).length).toBeLessThanOrEqual(1_001);
});

it("as many invalid entries in lists of lists are refused, too many to list", async () => {
  const annotation = `{"comments":[${"1,".repeat(190)}1]}`;
  const list = `[${`${annotation},`.repeat(999)}${annotation}]`;
  const body = `{"data":{"organizationId":"acme","documentId":"plan","comments":${list}}}`;
  expectRefused(await call(named("documents-data-add"), { as: alice, body }), "INVALID_ARGUMENT", /Send fewer/);
});

it("invalid fields are reported before a switch that is off", async () => {
  const carol = await furnishedWorkspace();
  await Setting.update({ workspace: carol.apiKey }, "switches", { advancedQueries: false });
  expectRefused(await call(named("folders-add"), { as: carol, data: {} }), "INVALID_ARGUMENT");
});

it.each(posts)("$name takes the credentials in data, and ignores them unless it declares them", async (endpoint) => {
  const as = await furnishedWorkspace(endpoint);
  const { apiKey, authToken } = as;
  const { headers, error } = await call(endpoint, { as, data: { ...dataOf(endpoint), apiKey, authToken } });
  expect(error).toBeUndefined();
  const names = ["apiKey", "authToken"].filter((name) => !fieldNames(endpoint.data).includes(name));
  expect(headers["x-ignored-fields"]?.split(",") ?? []).toEqual(names);
});

it.each(["users-delete", "documents-get"])("%s refuses members beside data, or names them", async (name) => {
  const endpoint = named(name);
  const as = await furnishedWorkspace(endpoint);
  const before = await storedOf(as);
  const body = JSON.stringify({ apiKey: as.apiKey, documentId: "plan", data: dataOf(endpoint) });
  const reply = await call(endpoint, { as, body });
  if (endpoint.refusesUnknownFields) expectRefused(reply, "INVALID_ARGUMENT", 'documentId: Must be in "data".');
  else expect(reply.headers["x-ignored-fields"]).toBe("body.apiKey,body.documentId");
  expect(await storedOf(as)).toEqual(before);
});

describe.each(samples)("$name: OK", (endpoint) => {
  const fields = fieldsOf(endpoint.data);

  it("treats null in an optional field as its absence", async () => {
    const as = await furnishedWorkspace(endpoint);
    const hasParent = (path: readonly string[]) => valueAt(dataOf(endpoint), path.slice(0, -1)) !== undefined;
    const optional = fields.filter(
      ({ path, isRequired }) => !isRequired && hasParent(path) && Number.isNaN(Number(path.at(-1))),
    );
    // Some endpoints require one of several optional fields, so the fields of the usual request keep their values.
    const data = optional
      .filter(({ path }) => valueAt(dataOf(endpoint), path) === undefined)
      .reduce((data, { path }) => withValue(data, path, null), dataOf(endpoint));
    expect((await call(endpoint, { as, data })).error).toBeUndefined();
    for (const { path } of optional) {
      const reply = await call(endpoint, { as, data: withValue(dataOf(endpoint), path, null) });
      expect(issuesOf(reply).filter(({ code }) => code !== "custom")).toEqual([]);
    }
  });

  it(endpoint.refusesUnknownFields ? "refuses unknown fields" : "ignores unknown fields, and names them", async () => {
    const as = await furnishedWorkspace(endpoint);
    const unknown = { unknown: 1, constructor: { a: 1 }, "": null, toString: "x", "a,b ü": 0 };
    const data = { ...dataOf(endpoint), ...unknown };
    const { headers, ...reply } = await call(endpoint, { as, data });
    const names = ["unknown", "constructor", "toString", "a,b ü"];
    if (endpoint.refusesUnknownFields) {
      expectRefused({ headers, ...reply }, "INVALID_ARGUMENT");
      expect(pathsOf({ headers, ...reply })).toEqual(names);
      expect(headers).not.toHaveProperty("x-ignored-fields");
    } else {
      expect(reply.error).toBeUndefined();
      expect(headers["x-ignored-fields"]?.split(",").map(decodeURIComponent)).toEqual(names);
    }
  });

  const objects = fields.filter(({ path, isClosed }) => isClosed && valueAt(dataOf(endpoint), path) !== undefined);
  it.each(objects.length > 0 ? [objects] : [])("names unknown fields inside of other fields", async (...objects) => {
    const as = await furnishedWorkspace(endpoint);
    const data = objects.reduce((data, { path }) => withValue(data, [...path, "unknown"], 1), dataOf(endpoint));
    const { headers, error } = await call(endpoint, { as, data });
    expect(error).toBeUndefined();
    const paths = objects.map(({ path }) =>
      [...path.filter((name) => Number.isNaN(Number(name))), "unknown"].join("."),
    );
    expect(headers["x-ignored-fields"]?.split(",")).toEqual(paths.slice(0, 10));
  });

  it("refuses a field named __proto__", async () => {
    const data = Object.fromEntries([...Object.entries(dataOf(endpoint)), ["__proto__", { isAdmin: "x" }]]);
    const reply = await call(endpoint, { as: alice, data });
    expectRefused(reply, "INVALID_ARGUMENT", "The name __proto__ is reserved. Use another name.");
    expect(pathsOf(reply)).toContain("__proto__");
  });

  it("accepts ids of 256 four-byte characters, and unusual ids", async () => {
    const as = await furnishedWorkspace(endpoint);
    const ids = ["😀".repeat(256), "__proto__", "constructor", "a#b%c/d e", "%23", "0", " "];
    for (const { path } of fields.filter(({ isId }) => isId)) {
      for (const id of ids) {
        const reply = await call(endpoint, { as, data: withValue(dataOf(endpoint), path, id) });
        expect(issuesOf(reply).filter((issue) => issue.code !== "custom")).toEqual([]);
        expect(reply.status, `${path} ${id}`).toBeLessThan(500);
      }
    }
  });
});
