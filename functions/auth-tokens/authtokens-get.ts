import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { AuthTokenRecord } from "../../lib/schema/auth-tokens.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";

export const authtokensGet = endpoint({
  name: "authtokens-get",
  path: "/v2/workspace/authtokens/get",
  summary: "List auth tokens",
  description: "List the workspace's auth tokens that have not expired, masked. Their full values are not stored.",
  grants: ["table:read"],
  data: z.object({}),
  reply: z.object({
    authTokens: z.array(AuthTokenRecord).check(z.describe("The tokens, without those that have expired.")),
  }),
  message: "Auth tokens retrieved.",

  async handle({ caller }) {
    return { authTokens: (await AuthToken.list(caller.ref)).map(AuthToken.masked) };
  },
});
export const handler = readLambda(authtokensGet);
