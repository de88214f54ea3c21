// Key pairs that sign for a workspace. Each has one purpose. Its private half is sealed for that purpose.
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import { Lru } from "../lru.ts";
import { seal, unseal } from "../secrets.ts";
import type { KeyPair, KeysRef } from "../store/access/signing-key.ts";

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

export async function privateKeyOf(context: KeysRef, { kid, privateSealed }: KeyPair): Promise<CryptoKey> {
  const name = `${context.purpose} ${context.workspace} ${kid}`;
  const known = imported.get(name);
  if (known) return known;
  const jwk = JSON.parse((await unseal(privateSealed, context)).reveal());
  const privateKey = (await importJWK(jwk, algorithm)) as CryptoKey;
  imported.set(name, privateKey);
  return privateKey;
}
