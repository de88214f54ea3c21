import { expect, it } from "vitest";
import { locationsDataDelete } from "../../../functions/locations/locations-data-delete.ts";
import { tokensRevoke } from "../../../functions/user-tokens/tokens-revoke.ts";
import { generatedFiles } from "../../../infra/client/generate.ts";
import { apiDocument } from "../../../infra/openapi/api-document.ts";

it("shows the example of each endpoint as a call, without the keys, which the client adds", async () => {
  const files = await generatedFiles({ ...apiDocument(), paths: {} }, [tokensRevoke, locationsDataDelete]);
  const text = files["index.ts"];
  expect(text).toContain('   * @example\n   * await client.tokensRevoke({\n   *   userId: "alice"\n   * });\n   */');
  expect(text).toContain("   * await client.locationsDataDelete({\n");
  expect(text).not.toContain("{authToken}");
});
