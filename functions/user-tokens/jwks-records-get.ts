import * as z from "zod/mini";
import { keysCachedSeconds } from "../../lib/access/key-times.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { ApiKey } from "../../lib/schema/fields.ts";
import * as SigningKey from "../../lib/store/access/signing-key.ts";

export const jwksRecordsGet = endpoint({
  name: "jwks-records-get",
  path: "/.well-known/jwks/{apiKey}/records",
  method: "GET",
  summary: "Get the record keys",
  description: "Get the public keys that verify a workspace's signed records, such as receipts, the former keys too.",
  credentials: "none",
  envelope: "raw",
  grants: ["table:read"],
  data: z.object({ apiKey: ApiKey }),
  example: { apiKey: "{apiKey}" },
  reply: z.object({
    keys: z
      .array(z.record(z.string(), z.string()))
      .check(z.describe("The public keys (JWK). Their `kid` is in the header of a token.")),
  }),
  message: "",
  cacheSeconds: keysCachedSeconds,

  async handle({ data }) {
    return { keys: await SigningKey.publicRecordsKeys({ workspace: data.apiKey }) };
  },
});
export const handler = readLambda(jwksRecordsGet);
