// User tokens (DECISIONS.md#user-tokens): ES256, one key per workspace, created with its first token.
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import { Lru } from "../lru.ts";
import { purposes, seal, unseal } from "../secrets.ts";
import * as SigningKey from "../store/signing-key.ts";

const algorithm = "ES256";
export const tokenSeconds = 48 * 3_600;
/** Common servers accept a header of this size. */
export const tokenBytesMax = 8_192;

/** Imported private keys by workspace and kid: a warm container unseals and parses each key once. */
const imported = new Lru<string, CryptoKey>(100);

export interface Claims extends JWTPayload {
  iss: string;
  sub: string;
}

/** A signed token, valid for 48 hours from now. */
export async function signToken(workspace: string, claims: Claims): Promise<string> {
  const key = (await SigningKey.get({ workspace })) ?? (await createKey(workspace));
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: "JWT" })
    .setAudience(workspace)
    .setIssuedAt()
    .setExpirationTime(`${tokenSeconds}s`)
    .sign(await privateKey(workspace, key));
}

async function createKey(workspace: string): Promise<SigningKey.SigningKey> {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const publicJwk = (await exportJWK(pair.publicKey)) as Record<string, string>;
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateSealed = await seal(JSON.stringify(await exportJWK(pair.privateKey)), contextOf(workspace));
  const key = { kid, publicJwk: { ...publicJwk, kid, alg: algorithm, use: "sig" }, privateSealed };
  if (await SigningKey.create({ workspace }, key)) return key;
  const existing = await SigningKey.get({ workspace });
  if (!existing) throw new Error("The signing key of another call was not found.");
  return existing;
}

async function privateKey(workspace: string, key: SigningKey.SigningKey): Promise<CryptoKey> {
  const name = `${workspace} ${key.kid}`;
  const known = imported.get(name);
  if (known) return known;
  const jwk = JSON.parse(await unseal(key.privateSealed, contextOf(workspace)));
  const privateKey = (await importJWK(jwk, algorithm)) as CryptoKey;
  imported.set(name, privateKey);
  return privateKey;
}

const contextOf = (workspace: string) => ({ workspace, purpose: purposes.signingKey });
