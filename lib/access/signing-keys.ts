// Creates and rotates the keys that sign a workspace's user tokens (DECISIONS.md#rotation-of-signing-keys).
import type { CryptoKey } from "jose";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { purposes } from "../purposes.ts";
import * as SigningKey from "../store/access/signing-key.ts";
import { newKeyPair, privateKeyOf } from "./key-pairs.ts";
import { rotated, signingAt } from "./key-times.ts";

const contextOf = (workspace: string) => ({ workspace, purpose: purposes.signingKey });

export const newSigningKey = (workspace: string): Promise<SigningKey.KeyPair> => newKeyPair(contextOf(workspace));

/** The key that signs now. A workspace that has none gets one; concurrent calls get the same. */
export async function currentKey(workspace: string): Promise<{ kid: string; privateKey: CryptoKey }> {
  const keys = (await SigningKey.get({ workspace })) ?? (await createKey(workspace));
  const pair = signingAt(keys, Date.now());
  return { kid: pair.kid, privateKey: await privateKeyOf(contextOf(workspace), pair) };
}

async function createKey(workspace: string): Promise<SigningKey.SigningKeys> {
  const key = await newSigningKey(workspace);
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
  const fresh = await newSigningKey(workspace);
  return retryOnConflict("signing keys", async () => {
    const stored = (await SigningKey.get({ workspace })) ?? (await createKey(workspace));
    const keys = isImmediate ? fresh : rotated(stored, fresh, Date.now());
    if (!keys) return undefined;
    return (await SigningKey.replace({ workspace }, stored, keys)) ? keys : conflict;
  });
}
