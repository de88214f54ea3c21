import { expect, test } from "vitest";
import {
  entriesOf,
  fieldsOf,
  jsonOf,
  type OpenApi,
  resolved,
  type Schema,
  searched,
  typeOf,
} from "../../../../../infra/console/page/pages/reference-document.ts";
import { apiDocument } from "../../../../../infra/openapi/api-document.ts";

const document = apiDocument() as unknown as OpenApi;
const entries = entriesOf(document);

/** The paths of all fields. A schema that contains itself ends there. */
function pathsOf(schema: Schema, seen: readonly string[] = []): string[] {
  if (schema.$ref !== undefined && seen.includes(schema.$ref)) return [];
  const within = schema.$ref === undefined ? seen : [...seen, schema.$ref];
  return fieldsOf(document, schema).flatMap(({ name, schema: field }) => [
    `${name}: ${typeOf(document, field)}`,
    ...pathsOf(field, within).map((each) => `${name}.${each}`),
  ]);
}

test("every body has fields, and each field a type", () => {
  for (const { operation } of entries) {
    const { requestBody, responses, operationId } = operation;
    const bodies = [requestBody ?? {}, resolved(document, responses["200"] ?? { description: "" })];
    for (const { schema } of bodies.flatMap((each) => jsonOf(each) ?? [])) {
      const paths = pathsOf(schema);
      expect(paths.length, operationId).toBeGreaterThan(0);
      expect(
        paths.filter((each) => / (?:undefined)?$/.test(each)),
        operationId,
      ).toEqual([]);
    }
  }
});

test("an operation is an endpoint, or a message to a webhook endpoint", () => {
  const ids = entries.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(entries.find(({ path }) => path === "/v2/users/get")).toMatchObject({ method: "POST" });
  const event = entries.find(({ operation }) => operation.operationId === "webhook-document.add");
  expect(event).toMatchObject({ method: "POST", path: undefined });
  // Both parts of the message declare it.
  const fields = pathsOf(jsonOf(event?.operation.requestBody ?? {})?.schema ?? {});
  expect(fields.filter((each) => each.startsWith("event:"))).toEqual(['event: "document.add"']);
});

test.each([
  ["resolve comment", "commentannotations-update"],
  ["list USERS", "users-get"],
  ["retry delivery", "webhook-deliveries-retry"],
  ["/v2/users/get", "users-get"],
  ["document.add", "webhook-document.add"],
])("a search for %j finds %s first", (text, operationId) => {
  expect(searched(entries, text)[0]?.operation.operationId).toBe(operationId);
});

test("a search finds only what has all words, and without words everything", () => {
  expect(searched(entries, "comment nothinglikethis")).toEqual([]);
  expect(searched(entries, " ")).toEqual(entries);
});

test.each<[Schema, string]>([
  [{ type: "array", items: { type: "string" }, minItems: 1 }, "list of string, minItems 1"],
  [{ type: ["string", "null"], maxLength: 5 }, "string | null, maxLength 5"],
  [{ $ref: "#/components/schemas/PageSize" }, "integer, minimum 1, maximum 100"],
  [{ anyOf: [{ $ref: "#/components/schemas/Person" }, { type: "null" }] }, "Person | null"],
  [{ enum: ["a", 1] }, '"a" | 1'],
  [{}, "any"],
])("the type of %j is %s", (schema, type) => {
  expect(typeOf(document, schema)).toBe(type);
});
