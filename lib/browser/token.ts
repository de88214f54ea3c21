// Verifies a user token (DECISIONS.md#user-tokens). `node:crypto` takes half the time of a library: every call of a user
// that a container does not know yet is verified.
import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import * as z from "zod/mini";
import { Lru } from "../lru.ts";
import { Id } from "../schema/primitives.ts";

/** generate_token makes no longer one. */
const tokenBytesMax = 8_192;
/** How far the clock that made a token may be ahead, in seconds. */
const skewSeconds = 5;

/** Header, claims, and a signature of 64 bytes, of which there is one spelling. */
const form = /^([\w-]+)\.([\w-]+)\.([\w-]{85}[AQgw])$/;

const Header = z.strictObject({ alg: z.literal("ES256"), kid: z.string(), typ: z.literal("JWT") });

const Claims = z.object({
  aud: Id,
  sub: Id,
  iss: z.string(),
  jti: z.string(),
  iat: z.number(),
  nbf: z.optional(z.number()),
  exp: z.number(),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  /** The time of the last revocation of the user's tokens, as it was when the token was made. */
  revokedAt: z.optional(z.number()),
  organizations: z.optional(z.array(z.object({ id: z.string(), generation: z.number() }))),
});
export type Claims = z.output<typeof Claims>;

export interface ReadToken {
  claims: Claims;
  kid: string;
  /** Header and claims, as they were signed. */
  signed: string;
  signature: string;
}

/** The parts of a token, of which nothing is verified. Undefined: it has not the form of a user token. */
export function readToken(token: string): ReadToken | undefined {
  const [, header, payload, signature] = (token.length <= tokenBytesMax && form.exec(token)) || [];
  if (!header || !payload || !signature) return undefined;
  const head = Header.safeParse(jsonOf(header));
  const claims = Claims.safeParse(jsonOf(payload));
  if (!head.success || !claims.success) return undefined;
  return { claims: claims.data, kid: head.data.kid, signed: `${header}.${payload}`, signature };
}

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Whether one of these public keys (JWK) has signed the token, and it is valid at this time (ms since the epoch). */
export function isValid({ claims, kid, signed, signature }: ReadToken, keys: readonly JsonWebKey[], now: number) {
  const jwk = keys.find((each) => each.kid === kid);
  const seconds = now / 1_000;
  const from = Math.max(claims.iat, claims.nbf ?? 0);
  if (!jwk || claims.exp <= seconds || from > seconds + skewSeconds) return false;
  const key = { key: keyOf(jwk), dsaEncoding: "ieee-p1363" } as const;
  return verify("sha256", Buffer.from(signed), key, Buffer.from(signature, "base64url"));
}

const imported = new Lru<string, KeyObject>(1_000);

function keyOf(jwk: JsonWebKey): KeyObject {
  const name = `${jwk.x}.${jwk.y}`;
  const known = imported.get(name) ?? createPublicKey({ key: jwk, format: "jwk" });
  imported.set(name, known);
  return known;
}
