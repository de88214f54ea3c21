// The key pairs that sign a workspace's user tokens (DECISIONS.md#rotation-of-signing-keys) and its records
// (DECISIONS.md#records-keys). Private halves are sealed; public halves are for everyone.
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { purposes } from "../../purposes.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

/** A JWK without its private half. */
type PublicJwk = Record<string, string>;

export interface KeyPair {
  kid: string;
  publicJwk: PublicJwk;
  /** A JWK as JSON, sealed for its purpose. */
  privateSealed: string;
}

/** The key that signs, until the time at which `next` signs. Times are ms since the epoch. */
export interface SigningKeys extends KeyPair {
  next?: (KeyPair & { signsFrom: number }) | undefined;
  /** Keys that no longer sign. Tokens that they have signed may still be valid. */
  former?: { publicJwk: PublicJwk; listedUntil: number }[] | undefined;
  /** The number of rotations; absent before the first. */
  revision?: number | undefined;
}

/** The owner of keys, and their use: user tokens, or records such as receipts. */
export interface KeysRef extends WorkspaceRef {
  purpose: typeof purposes.signingKey | typeof purposes.recordsKey;
}

export const tokenKeys = (workspace: string): KeysRef => ({ workspace, purpose: purposes.signingKey });
export const recordsKeys = (workspace: string): KeysRef => ({ workspace, purpose: purposes.recordsKey });

const attributes = ["kid", "publicJwk", "privateSealed", "next", "revision"] as const;

export const signingKeyEntity = entity<SigningKeys>()({
  name: "signing-key",
  attributes: [...attributes, "former"],
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  sk: () => "SIGNINGKEY",
});

/** Its former keys stay listed, as items of their own. */
export const recordsKeyEntity = entity<Omit<SigningKeys, "former">>()({
  name: "records-key",
  attributes,
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  sk: () => "RECORDSKEY",
});

export const publicRecordsKeyEntity = entity<Pick<KeyPair, "kid" | "publicJwk">>()({
  name: "public-records-key",
  attributes: ["kid", "publicJwk"],
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#RECORDSKEYS`,
  sk: ({ kid }: Pick<KeyPair, "kid">) => kid,
});

const entityOf = ({ purpose }: KeysRef) => (purpose === purposes.signingKey ? signingKeyEntity : recordsKeyEntity);

const listing = (ref: KeysRef, { kid, publicJwk }: KeyPair): Write[] =>
  ref.purpose === purposes.recordsKey
    ? [publicRecordsKeyEntity.put({ ...ref, kid }, { kid, publicJwk }, "absent")]
    : [];

export async function get(ref: KeysRef): Promise<SigningKeys | undefined> {
  return Table.get<SigningKeys>(entityOf(ref).key(ref));
}

/** The public halves of all keys for records that the workspace has had, and of the next one. */
export async function publicRecordsKeys(ref: WorkspaceRef): Promise<PublicJwk[]> {
  const keys = await Table.every<Pick<KeyPair, "publicJwk">>(publicRecordsKeyEntity.range(ref));
  return keys.map(({ publicJwk }) => publicJwk);
}

/** The writes of a workspace's first key. The condition of the first write fails when the workspace has a key. */
export function creating(ref: KeysRef, key: KeyPair): Write[] {
  const keysEntity = entityOf(ref);
  return [keysEntity.put(ref, key, "absent"), ...listing(ref, key)];
}

/** Replaces the keys; `fresh` is the new one. Returns false when another rotation came first. */
export async function replace(
  ref: KeysRef,
  { kid, revision }: SigningKeys,
  next: SigningKeys,
  fresh: KeyPair,
): Promise<boolean> {
  const keysEntity = entityOf(ref);
  const keys = { ...next, revision: (revision ?? 0) + 1 };
  return writeAll([keysEntity.put(ref, keys, { kid, revision }), ...listing(ref, fresh)]);
}
