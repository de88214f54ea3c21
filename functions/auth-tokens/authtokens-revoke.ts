import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { AuthTokenId } from "../../lib/schema/auth-tokens.ts";
import { AlwaysTrue } from "../../lib/schema/primitives.ts";
import { revokeToken } from "../../lib/workspace/auth-tokens.ts";

export const authtokensRevoke = endpoint({
  name: "authtokens-revoke",
  path: "/v2/workspace/authtokens/revoke",
  summary: "Revoke an auth token",
  description: "Revoke an auth token. The last one with the scope admin cannot be revoked here.",
  grants: ["table:read", "table:write", "table:delete"],
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  data: z.object({ tokenId: AuthTokenId }),
  example: { tokenId: "0123456789ab" },
  reply: z.object({ id: AuthTokenId, revoked: AlwaysTrue }),
  message: "Auth token revoked. Functions that have just checked it accept it for up to 30 seconds.",

  async handle({ data: { tokenId }, caller }) {
    await revokeToken(caller.ref, tokenId);
    return { id: tokenId, revoked: true as const };
  },
});
export const handler = lambda(authtokensRevoke);
