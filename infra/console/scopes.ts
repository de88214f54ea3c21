// What the auth token of the console may do, found by calls that change nothing.
import { apiKeyHeader, authTokenHeader } from "../../lib/http/auth.ts";
import { type Scope, scopes } from "../../lib/schema/scopes.ts";
import { hashOf, idOf } from "../../lib/store/auth-token.ts";
import { UserError } from "../admin/command.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { Keys } from "./keys.ts";

/** Calls with data that no endpoint accepts. A token without the scope is refused before the data is read. */
const probes: Record<Exclude<Scope, "admin">, string> = {
  read: "/v2/organizations/get",
  write: "/v2/organizations/add",
};

/** Throws UserError when the service cannot be reached, or refuses the keys. */
export async function scopesOf(api: string, keys: Keys): Promise<Scope[]> {
  const listed = await call(api, keys, "/v2/workspace/authtokens/get", {});
  const own = listed?.authTokens?.find(({ id }: { id: string }) => id === idOf(hashOf(keys.authToken)));
  if (own) return own.scopes;
  const found: Scope[] = [];
  for (const scope of scopes) {
    if (scope !== "admin" && (await call(api, keys, probes[scope], "no data"))) found.push(scope);
  }
  return found;
}

/** The data of the reply; an empty object for data that is not accepted; undefined if the token lacks the scope. */
// biome-ignore lint/suspicious/noExplicitAny: the reply of an endpoint
async function call(api: string, { apiKey, authToken }: Keys, path: string, data: unknown): Promise<any> {
  const headers = { "content-type": "application/json", [apiKeyHeader]: apiKey, [authTokenHeader]: authToken };
  const reply = await boundedFetch(new URL(path, api), { method: "POST", headers, body: JSON.stringify({ data }) });
  if ("problem" in reply) throw new UserError(`${api}: ${reply.problem}`);
  const { result, error } = parsed(reply.text);
  if (reply.status === 200) return result?.data ?? {};
  if (error?.status === "INVALID_ARGUMENT") return {};
  if (error?.status !== "PERMISSION_DENIED") {
    throw new UserError(`${api} is not this service, or does not work now: ${path} answers HTTP ${reply.status}.`);
  }
  if (/needs the scope/.test(error.message)) return undefined;
  throw new UserError(`${api} refuses the keys: ${error.message} Check that they are of a workspace of this service.`);
}

// biome-ignore lint/suspicious/noExplicitAny: the reply can be of anything
function parsed(text: string): any {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
