import { expect, test } from "vitest";
import { keysLineOf } from "../../../infra/console/server/keys-line.ts";
import { referenceDocument } from "../../../infra/console/server/reference-document.ts";
import type { Sample } from "../../../infra/console/server/samples.ts";
import { apiDocument } from "../../../infra/openapi/api-document.ts";
import { projectWithClient, typeErrors } from "../../support/built-client.ts";

const dir = projectWithClient();

test("the TypeScript samples of all operations compile against the client under strict rules", async () => {
  const { paths } = referenceDocument(apiDocument({ api: "https://api.example.com" }), {
    api: "https://api.example.com",
    keysLine: keysLineOf({}),
  });
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const programs = operations.flatMap(({ operationId, "x-codeSamples": samples }) => {
    const sample = (samples as Sample[]).find(({ lang }) => lang === "typescript");
    return sample ? [[`sample-${operationId}.ts`, `${sample.source}\n`] as const] : [];
  });
  expect(programs.length).toBeGreaterThan(90);
  expect(await typeErrors(dir(), Object.fromEntries(programs))).toEqual({});
});
