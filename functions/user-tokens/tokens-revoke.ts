import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { RealUserId } from "../../lib/schema/fields.ts";
import { AlwaysTrue } from "../../lib/schema/primitives.ts";
import * as TokenRevocation from "../../lib/store/access/token-revocation.ts";

export const tokensRevoke = endpoint({
  name: "tokens-revoke",
  path: "/v2/auth/tokens/revoke",
  summary: "Revoke a user's tokens",
  description:
    "Refuse all tokens of a user that were made before now, within 30 seconds. A later token works. A user without tokens is no error.",
  grants: ["table:read", "table:write"],
  data: z.object({ userId: RealUserId }),
  reply: z.object({ success: AlwaysTrue }),
  message: "Tokens revoked.",

  async handle({ data: { userId }, caller: { workspace } }) {
    await TokenRevocation.revoke({ workspace, userId });
    return { success: true as const };
  },
});
export const handler = lambda(tokensRevoke);
