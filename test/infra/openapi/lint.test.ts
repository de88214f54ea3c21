// Redocly's linter, with its recommended rules. It is the version that openapi-typescript brings.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { apiDocument } from "../../../infra/openapi/api-document.ts";

it("the document has no error and no warning", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    // It counts fields that stand beside `anyOf` as additional. Whether an example works, the story of the examples tests.
    rules: { "no-invalid-media-type-examples": { severity: "warn", allowAdditionalProperties: true } },
  });
  const problems = await lintFromString({ source: JSON.stringify(apiDocument()), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});
