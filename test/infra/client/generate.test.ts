import { expect, it } from "vitest";
import { locationsDataDelete } from "../../../functions/locations/locations-data-delete.ts";
import { tokensRevoke } from "../../../functions/user-tokens/tokens-revoke.ts";
import { generatedFiles } from "../../../infra/client/generate.ts";
import { apiDocument } from "../../../infra/openapi/api-document.ts";

it("has types in which the further values of an object fit its named fields, as TypeScript demands", async () => {
  const files = await generatedFiles({ ...apiDocument(), paths: {} }, []);
  for (const name of ["schema.ts", "browser-schema.ts"]) {
    const [, further] = /recipientUser\?: .*\s+\} & \{\s+\[key: string\]: (.*);/.exec(files[name] ?? "") ?? [];
    expect(further).toContain('string | components["schemas"]["Person"]');
  }
});

it("shows the example of each endpoint as a call, without the keys, which the client adds", async () => {
  const files = await generatedFiles({ ...apiDocument(), paths: {} }, [tokensRevoke, locationsDataDelete]);
  const text = files["index.ts"];
  expect(text).toContain('   * @example\n   * await client.tokensRevoke({\n   *   userId: "alice"\n   * });\n   */');
  expect(text).toContain("   * await client.locationsDataDelete({\n");
  expect(text).not.toContain("{authToken}");
});
