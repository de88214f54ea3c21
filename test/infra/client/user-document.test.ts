import { expect, it } from "vitest";
import { forUsers } from "../../../infra/client/user-document.ts";
import type { OpenApi } from "../../../infra/openapi/document.ts";

const actor = { type: "object", "x-actor": true };
const schema = { type: "object", required: ["from", "text"], properties: { from: actor, text: { type: "string" } } };
const keys = { apiKey: [], authToken: [] };

const document = {
  openapi: "3.1.0",
  security: [keys],
  paths: {
    "/v2/open": { post: { security: [keys, { userToken: [] }], requestBody: schema } },
    "/v2/servers": { post: { security: [keys] } },
    "/v2/default": { post: {} },
    "/v2/public": { get: { security: [] } },
  },
  components: { schemas: { Comment: schema } },
} as unknown as OpenApi;

it("has the operations that a user's token opens, whose callers need not say who acts", () => {
  const own = { ...schema, required: ["text"] };
  expect(forUsers(document)).toEqual({
    ...document,
    paths: { "/v2/open": { post: { security: [keys, { userToken: [] }], requestBody: own } } },
    components: { schemas: { Comment: own } },
  });
  expect(schema.required).toEqual(["from", "text"]);
});
