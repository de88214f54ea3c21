// Creates and rotates the keys that sign for a workspace: its user tokens (DECISIONS.md#rotation-of-signing-keys), and
// its records, such as receipts (DECISIONS.md#records-keys). Each key pair has one purpose. Its private half is sealed
// for that purpose.
import { CompactSign, type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { writeAll } from "../dynamodb/write-each.ts";
import { Lru } from "../lru.ts";
import { seal, unseal } from "../secrets.ts";
import type { KeyPair, KeysRef } from "../store/access/signing-key.ts";
import * as SigningKey from "../store/access/signing-key.ts";
import { rotated, signingAt } from "./key-times.ts";

/** The key that signs now. A workspace without a key gets one. Concurrent calls get the same key. */
export async function currentKey(ref: SigningKey.KeysRef): Promise<{ kid: string; privateKey: CryptoKey }> {
  const keys = (await SigningKey.get(ref)) ?? (await createKey(ref));
  const pair = signingAt(keys, Date.now());
  return { kid: pair.kid, privateKey: await privateKeyOf(ref, pair) };
}

/** Signs a record with the workspace's current key, as a compact JWS. `typ`: the kind of record, in its header. */
export async function signRecord(workspace: string, typ: string, record: object): Promise<string> {
  const { kid, privateKey } = await currentKey(SigningKey.recordsKeys(workspace));
  return new CompactSign(Buffer.from(JSON.stringify(record)))
    .setProtectedHeader({ alg: algorithm, kid, typ })
    .sign(privateKey);
}

async function createKey(ref: SigningKey.KeysRef): Promise<SigningKey.SigningKeys> {
  const key = await newKeyPair(ref);
  if (await writeAll(SigningKey.creating(ref, key))) return key;
  const existing = await SigningKey.get(ref);
  if (!existing) throw new Error("The key of another call was not found.");
  return existing;
}

/**
 * Rotates the key. `isImmediate`: the new key signs at once. For tokens, no other key is listed from then on. Returns
 * the keys after the rotation; undefined: the key of an earlier rotation does not sign yet.
 */
export async function rotateKey(
  ref: SigningKey.KeysRef,
  isImmediate: boolean,
): Promise<SigningKey.SigningKeys | undefined> {
  const fresh = await newKeyPair(ref);
  return retryOnConflict(ref.purpose, async () => {
    const stored = (await SigningKey.get(ref)) ?? (await createKey(ref));
    const keys = isImmediate ? fresh : rotated(stored, fresh, Date.now());
    if (!keys) return undefined;
    return (await SigningKey.replace(ref, stored, keys, fresh)) ? keys : conflict;
  });
}

export const algorithm = "ES256";

/** Imported private keys by context and kid: a warm container unseals and parses each key once. */
const imported = new Lru<string, CryptoKey>(100);

export async function newKeyPair(context: KeysRef): Promise<KeyPair> {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const publicJwk = (await exportJWK(pair.publicKey)) as Record<string, string>;
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateSealed = await seal(JSON.stringify(await exportJWK(pair.privateKey)), context);
  return { kid, publicJwk: { ...publicJwk, kid, alg: algorithm, use: "sig" }, privateSealed };
}

async function privateKeyOf(context: KeysRef, { kid, privateSealed }: KeyPair): Promise<CryptoKey> {
  const name = `${context.purpose} ${context.workspace} ${kid}`;
  const known = imported.get(name);
  if (known) return known;
  const jwk = JSON.parse((await unseal(privateSealed, context)).reveal());
  const privateKey = (await importJWK(jwk, algorithm)) as CryptoKey;
  imported.set(name, privateKey);
  return privateKey;
}
