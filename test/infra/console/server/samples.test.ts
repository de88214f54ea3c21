import { describe, expect, test } from "vitest";
import { keysLineOf } from "../../../../infra/console/server/keys-line.ts";
import { referenceDocument } from "../../../../infra/console/server/reference-document.ts";
import type { Sample } from "../../../../infra/console/server/samples.ts";
import { apiDocument } from "../../../../infra/openapi/api-document.ts";

const source = (samples: Sample[], label: string) => samples.find((each) => each.label === label)?.source ?? "";

describe("the document of the reference", () => {
  const document = referenceDocument(apiDocument({ api: "https://api.example.com" }), {
    api: "https://api.example.com",
    keysLine: keysLineOf({}),
  });
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test("says first how to set the keys of the samples", () => {
    const { description } = document.info as { description: string };
    expect(description).toMatch(/## Keys on this page[\s\S]*export API_KEY AUTH_TOKEN\n```[\s\S]*\n## /);
    expect(description).toMatch(/curl https:\/\/api\.example\.com\/.*\n.*\n {2}-H "x-service-api-key: \$API_KEY" \\\n/);
  });

  test("calls one base URL", () => {
    const urls = JSON.stringify(document).match(/https?:\/\/[^"\\/ ]+\/v[12]\//g);
    expect([...new Set(urls)].map((url) => new URL(url).origin)).toEqual(Array(2).fill("https://api.example.com"));
  });

  test("has samples of each operation, with the typed client's own call", () => {
    expect(operations.length).toBeGreaterThan(0);
    for (const operation of operations) {
      const samples = operation["x-codeSamples"] as Sample[];
      expect(samples[0]?.label, operation.operationId).toBe("curl");
    }
    const users = document.paths["/v2/users/get"]?.post?.["x-codeSamples"] as Sample[];
    expect(source(users, "TypeScript")).toContain("client.usersGet({\n");
    expect(source(users, "TypeScript")).toContain("npm run build");
    const keySet = document.paths["/.well-known/jwks/{apiKey}"]?.get?.["x-codeSamples"] as Sample[];
    expect(source(keySet, "curl")).not.toContain("x-service");
  });
});
