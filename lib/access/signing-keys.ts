// Creates and rotates the keys that sign a workspace's user tokens (DECISIONS.md#rotation-of-signing-keys).
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { Lru } from "../lru.ts";
import { purposes, seal, unseal } from "../secrets.ts";
import * as SigningKey from "../store/signing-key.ts";
import { rotated, signingAt } from "./key-times.ts";

export const algorithm = "ES256";

/** Imported private keys by workspace and kid: a warm container unseals and parses each key once. */
const imported = new Lru<string, CryptoKey>(100);

const contextOf = (workspace: string) => ({ workspace, purpose: purposes.signingKey });

export async function newKeyPair(workspace: string): Promise<SigningKey.KeyPair> {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const publicJwk = (await exportJWK(pair.publicKey)) as Record<string, string>;
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateSealed = await seal(JSON.stringify(await exportJWK(pair.privateKey)), contextOf(workspace));
  return { kid, publicJwk: { ...publicJwk, kid, alg: algorithm, use: "sig" }, privateSealed };
}

/** The key that signs now. A workspace that has none gets one; concurrent calls get the same. */
export async function currentKey(workspace: string): Promise<{ kid: string; privateKey: CryptoKey }> {
  const keys = (await SigningKey.getKept({ workspace })) ?? (await createKey(workspace));
  const { kid, privateSealed } = signingAt(keys, Date.now());
  const name = `${workspace} ${kid}`;
  const known = imported.get(name);
  if (known) return { kid, privateKey: known };
  const jwk = JSON.parse(await unseal(privateSealed, contextOf(workspace)));
  const privateKey = (await importJWK(jwk, algorithm)) as CryptoKey;
  imported.set(name, privateKey);
  return { kid, privateKey };
}

async function createKey(workspace: string): Promise<SigningKey.SigningKeys> {
  const key = await newKeyPair(workspace);
  if (await SigningKey.create({ workspace }, key)) return key;
  const existing = await SigningKey.get({ workspace });
  if (!existing) throw new Error("The signing key of another call was not found.");
  return existing;
}

/**
 * Rotates the signing key. `isImmediate`: the new key signs at once, and no other key is listed any more. Returns the
 * keys after it; undefined: the key of an earlier rotation does not sign yet.
 */
export async function rotateKey(workspace: string, isImmediate: boolean): Promise<SigningKey.SigningKeys | undefined> {
  const fresh = await newKeyPair(workspace);
  return retryOnConflict("signing keys", async () => {
    const stored = (await SigningKey.get({ workspace })) ?? (await createKey(workspace));
    const keys = isImmediate ? fresh : rotated(stored, fresh, Date.now());
    if (!keys) return undefined;
    return (await SigningKey.replace({ workspace }, stored, keys)) ? keys : conflict;
  });
}
