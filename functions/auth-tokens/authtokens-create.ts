import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { AuthTokenRecord, NewAuthToken } from "../../lib/schema/auth-tokens.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import { createToken, requireWithin } from "../../lib/workspace/auth-tokens.ts";

export const authtokensCreate = endpoint({
  name: "authtokens-create",
  path: "/v2/workspace/authtokens/create",
  summary: "Create an auth token",
  description:
    "Create an auth token. Only this reply shows it in full. It cannot have more rights than the caller's token.",
  grants: ["table:read", "table:write", "table:delete"],
  isKeyedByToken: true,
  data: z.object(NewAuthToken),
  example: { name: "Dashboard", scopes: ["read"], expiresAt: 2_000_000_000 },
  reply: AuthTokenRecord,
  message: "Auth token created. It is not shown again.",

  async handle({ data, caller }) {
    requireWithin(caller.rights, data);
    const { authToken, record } = await createToken(caller.ref, { ...data, createdBy: caller.authTokenId });
    return { ...AuthToken.shown(record), authToken };
  },
});
export const handler = lambda(authtokensCreate);
