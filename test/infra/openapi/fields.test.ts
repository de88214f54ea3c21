import { expect, it } from "vitest";
import { endpoints } from "../../../infra/deployables.ts";
import { openApi } from "../../../infra/openapi/document.ts";
import type { JsonSchema } from "../../../infra/openapi/json-schema.ts";

const document = openApi(endpoints, { version: "1.2.3", api: "https://api.example" });
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
const components = (document.components as any).schemas as Record<string, JsonSchema>;

/** Every field of the document, with its path. */
function fieldsOf(schema: JsonSchema | undefined | boolean, path: string): { path: string; field: JsonSchema }[] {
  if (typeof schema !== "object") return [];
  const { properties = {}, items, additionalProperties, anyOf = [], allOf = [] } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { path: `${path}.${name}`, field },
      ...fieldsOf(field, `${path}.${name}`),
    ]),
    ...[items, additionalProperties, ...anyOf, ...allOf].flatMap((each) => fieldsOf(each, path)),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
const contentOf = (value: any): JsonSchema | undefined => value?.content?.["application/json"]?.schema;
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const fields = [
  ...Object.entries(components).flatMap(([name, schema]) => fieldsOf(schema, name)),
  ...operations.flatMap(({ operationId, requestBody, responses }) => [
    ...fieldsOf(contentOf(requestBody), operationId),
    ...fieldsOf(contentOf(responses[200]), `${operationId} reply`),
  ]),
];

/** What the field means, beside it: editors do not show the description of a named schema. */
const aboutField = ({ description, items }: JsonSchema): string | undefined => description ?? items?.description;

it("every field of requests, replies and webhook messages has a description", () => {
  expect(fields.length).toBeGreaterThan(1_500);
  const silent = fields.filter(({ field }) => !aboutField(field)).map(({ path }) => path);
  expect(silent, "say with z.describe in the schema what these mean").toEqual([]);
});

it("a description says more than a field's type and limits", () => {
  const empty = /^(?:At most 65,536 bytes|ISO 8601)/;
  expect(fields.filter(({ field }) => empty.test(aboutField(field) ?? "")).map(({ path }) => path)).toEqual([]);
});

it("a description has no larger limit than the field", () => {
  const ofText = fields.filter(({ field }) => /At most 65,536 bytes/.test(field.description ?? ""));
  expect(ofText.length).toBeGreaterThan(50);
  expect(ofText.filter(({ field: { maxLength = Infinity } }) => maxLength < 65_536).map(({ path }) => path)).toEqual(
    [],
  );
});

it("a time that can be a number says its unit", () => {
  const isTime = ({ anyOf = [], maximum }: JsonSchema): boolean =>
    maximum === 253_402_300_799_999 || anyOf.some(isTime);
  const times = fields.filter(({ field }) => isTime(field));
  expect(times.length).toBeGreaterThan(8);
  expect(
    times.filter(({ field }) => !/milliseconds since 1970/.test(field.description ?? "")).map(({ path }) => path),
  ).toEqual([]);
});

it("a parameter has a description", () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  const parameters = operations.flatMap((each) => (each.parameters as any[]) ?? []);
  expect(parameters.filter(({ $ref, description }) => !$ref && !description)).toEqual([]);
});
