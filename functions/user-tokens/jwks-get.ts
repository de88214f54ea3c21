import * as z from "zod/mini";
import { keysCachedSeconds, listedAt } from "../../lib/access/key-times.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { ApiKey } from "../../lib/schema/fields.ts";
import * as SigningKey from "../../lib/store/access/signing-key.ts";

export const jwksGet = endpoint({
  name: "jwks-get",
  path: "/.well-known/jwks/{apiKey}",
  method: "GET",
  summary: "Get the user-token keys",
  description: "Get the public keys that verify a workspace's user tokens. An unknown workspace has an empty set.",
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
    const keys = await SigningKey.get(SigningKey.tokenKeys(data.apiKey));
    return { keys: keys ? listedAt(keys, Date.now()) : [] };
  },
});
export const handler = readLambda(jwksGet);
