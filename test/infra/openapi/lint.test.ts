// Two independent linters, with their recommended rules.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { expect, it } from "vitest";
import { apiDocument } from "../../../infra/openapi/api-document.ts";

const source = JSON.stringify(apiDocument());

it("Redocly reports no error and no warning", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

it("Spectral reports no error and no warning", async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas as RulesetDefinition, "recommended"]],
    rules: {
      // Each deployment has an operator of its own, whom this document does not know.
      "info-contact": "off",
    },
  });
  const problems = await linter.run(source);
  expect(problems.map(({ code, message, path }) => [code, message, path.join("/")])).toEqual([]);
});
