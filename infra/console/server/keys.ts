// The keys of `npm run console`. They come from the environment or from standard input, or the command creates a token
// and revokes it at its end. They are never arguments: other users of the machine can read the arguments of a process.
import { jsonIn } from "../../../lib/json.ts";
import { type Io, UserError } from "../../admin/command.ts";
import { readSecret } from "../../admin/read-secret.ts";

export interface Keys {
  apiKey: string;
  authToken: string;
}

const howTo =
  "Set API_KEY and AUTH_TOKEN, or give both on standard input: as two lines, or as the JSON that " +
  "`npm run --silent admin -- workspace create --json` prints and .data/demo.json has.";

/** Those of the environment. */
export function environmentKeys(): Partial<Keys> {
  const { API_KEY: apiKey, AUTH_TOKEN: authToken } = process.env;
  return { ...(apiKey && { apiKey }), ...(authToken && { authToken }) };
}

export async function readKeys(io: Io): Promise<Keys> {
  const { apiKey, authToken } = environmentKeys();
  if (apiKey && authToken) return checked({ apiKey, authToken });
  if (apiKey || authToken) throw new UserError(`Only one of API_KEY and AUTH_TOKEN is set. ${howTo}`);
  if (!io.stdin.isTTY) return checked(keysIn(await readSecret(io, "")));
  return checked({
    apiKey: (await readSecret(io, "API key (not shown): ")).trim(),
    authToken: (await readSecret(io, "Auth token (not shown): ")).trim(),
  });
}

function keysIn(text: string): Keys {
  const [apiKey = "", authToken = ""] = text.trim().startsWith("{") ? fieldsOf(text) : text.trim().split(/\s+/);
  return { apiKey, authToken };
}

function fieldsOf(text: string): [string | undefined, string | undefined] {
  const keys = jsonIn(text) as Partial<Keys> | undefined;
  if (!keys) throw new UserError(`Standard input is not valid JSON. ${howTo}`);
  return [keys.apiKey, keys.authToken];
}

/** Keys go into headers. The message does not repeat them. */
function checked(keys: Keys): Keys {
  const isHeader = (value: unknown) => typeof value === "string" && /^[\x21-\x7e]{1,512}$/.test(value);
  if (isHeader(keys.apiKey) && isHeader(keys.authToken)) return keys;
  throw new UserError(`The keys are missing or have characters that no key has. ${howTo}`);
}

/** It ends by itself if the command cannot revoke it. */
const lifeSeconds = 12 * 3_600;

/** For an operator who has no key of the workspace: makes an auth token, and revokes it after the work. */
export async function withToken({ apiKey }: { apiKey: string }, work: (keys: Keys) => Promise<void>): Promise<void> {
  const { createToken, revokeToken } = await import("../../../lib/workspace/auth-tokens.ts");
  const { idOf } = await import("../../../lib/store/access/auth-token.ts");
  const { ApiError } = await import("../../../lib/errors.ts");
  const expiresAt = Math.floor(Date.now() / 1_000) + lifeSeconds;
  const { authToken, record } = await createToken({ workspace: apiKey }, { name: "console", expiresAt }).catch(
    (thrown: unknown) => {
      throw thrown instanceof ApiError ? new UserError(thrown.message) : thrown;
    },
  );
  try {
    await work({ apiKey, authToken });
  } finally {
    await revokeToken({ workspace: apiKey }, idOf(record.hash), { evenLast: true });
  }
}
