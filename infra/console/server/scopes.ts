// What the auth token of the console may do, found by calls that change nothing.
import * as z from "zod/mini";
import { apiKeyHeader, authTokenHeader } from "../../../lib/http/auth.ts";
import { jsonIn } from "../../../lib/json.ts";
import { type Scope, scopes } from "../../../lib/schema/scopes.ts";
import { hashOf, idOf } from "../../../lib/store/access/auth-token.ts";
import { UserError } from "../../admin/command.ts";
import type { Keys } from "./keys.ts";
import { boundedFetch } from "./upstream.ts";

/** Calls with data that no endpoint accepts. A token without the scope is refused before the data is read. */
const probes: Record<Exclude<Scope, "admin">, string> = {
  read: "/v2/organizations/get",
  write: "/v2/organizations/add",
};

/** What is read of a reply. Other servers, and broken ones, reply otherwise. */
const Reply = z.object({
  result: z.optional(
    z.object({
      data: z.optional(
        z.object({ authTokens: z.optional(z.array(z.object({ id: z.string(), scopes: z.array(z.string()) }))) }),
      ),
    }),
  ),
  error: z.optional(z.object({ status: z.string(), message: z.string() })),
});
type Data = NonNullable<NonNullable<z.infer<typeof Reply>["result"]>["data"]>;

/** Throws UserError when the service cannot be reached, or refuses the keys. */
export async function scopesOf(api: string, keys: Keys): Promise<Scope[]> {
  const listed = await call(api, keys, "/v2/workspace/authtokens/get", {});
  const own = listed?.authTokens?.find(({ id }) => id === idOf(hashOf(keys.authToken)));
  if (own) return scopes.filter((scope) => own.scopes.includes(scope));
  const found: Scope[] = [];
  for (const scope of scopes) {
    if (scope !== "admin" && (await call(api, keys, probes[scope], "no data"))) found.push(scope);
  }
  return found;
}

/** The data of the reply; an empty object for data that is not accepted; undefined if the token lacks the scope. */
async function call(api: string, { apiKey, authToken }: Keys, path: string, data: unknown): Promise<Data | undefined> {
  const headers = { "content-type": "application/json", [apiKeyHeader]: apiKey, [authTokenHeader]: authToken };
  const reply = await boundedFetch(new URL(path, api), { method: "POST", headers, body: JSON.stringify({ data }) });
  if ("problem" in reply) throw new UserError(`${api}: ${reply.problem}`);
  const { result, error } = Reply.safeParse(jsonIn(reply.text)).data ?? {};
  if (reply.status === 200 && result) return result.data ?? {};
  if (error?.status === "INVALID_ARGUMENT") return {};
  if (error?.status !== "PERMISSION_DENIED") {
    throw new UserError(`${api} is not this service, or does not work now: ${path} answers HTTP ${reply.status}.`);
  }
  if (/needs the scope/.test(error.message)) return undefined;
  throw new UserError(`${api} refuses the keys: ${error.message} Check that they are of a workspace of this service.`);
}
