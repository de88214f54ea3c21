// The keys that sign a workspace's records, such as receipts (DECISIONS.md#records-keys).
import { CompactSign } from "jose";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { purposes } from "../purposes.ts";
import * as RecordsKey from "../store/access/records-key.ts";
import { algorithm, newKeyPair, privateKeyOf } from "./key-pairs.ts";
import { rotated, signingAt } from "./key-times.ts";

const contextOf = (workspace: string) => ({ workspace, purpose: purposes.recordsKey });

/** Signs a record with the workspace's current key, as a compact JWS. `typ`: the kind of record, in its header. */
export async function signRecord(workspace: string, typ: string, record: object): Promise<string> {
  const keys = (await RecordsKey.get({ workspace })) ?? (await createKey(workspace));
  const pair = signingAt(keys, Date.now());
  const privateKey = await privateKeyOf(contextOf(workspace), pair);
  return new CompactSign(Buffer.from(JSON.stringify(record)))
    .setProtectedHeader({ alg: algorithm, kid: pair.kid, typ })
    .sign(privateKey);
}

/** The first key. Concurrent calls get the same. */
async function createKey(workspace: string): Promise<RecordsKey.RecordsKeys> {
  const key = await newKeyPair(contextOf(workspace));
  if (await RecordsKey.create({ workspace }, key)) return key;
  const existing = await RecordsKey.get({ workspace });
  if (!existing) throw new Error("The records key of another call was not found.");
  return existing;
}

/**
 * Rotates the key. `isImmediate`: the new key signs at once. All public halves stay listed. Returns the keys after it;
 * undefined: the key of an earlier rotation does not sign yet.
 */
export async function rotateRecordsKey(
  workspace: string,
  isImmediate: boolean,
): Promise<RecordsKey.RecordsKeys | undefined> {
  const fresh = await newKeyPair(contextOf(workspace));
  return retryOnConflict("records keys", async () => {
    const stored = (await RecordsKey.get({ workspace })) ?? (await createKey(workspace));
    const keys = isImmediate ? fresh : rotated(stored, fresh, Date.now());
    if (!keys) return undefined;
    return (await RecordsKey.replace({ workspace }, stored, keys, fresh)) ? keys : conflict;
  });
}
