// The key pairs that sign a workspace's user tokens (DECISIONS.md#rotation-of-signing-keys). Private halves are sealed;
// public halves are for everyone.
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

/** A JWK without its private half. */
type PublicJwk = Record<string, string>;

export interface KeyPair {
  kid: string;
  publicJwk: PublicJwk;
  /** A JWK as JSON, sealed for `purposes.signingKey`. */
  privateSealed: string;
}

/** The key that signs, until the time at which `next` signs. Times are ms since the epoch. */
export interface SigningKeys extends KeyPair {
  next?: (KeyPair & { signsFrom: number }) | undefined;
  /** Keys that no longer sign, and of which tokens may still be valid. */
  former?: { publicJwk: PublicJwk; listedUntil: number }[] | undefined;
  /** The number of rotations; absent before the first. */
  revision?: number | undefined;
}

export const signingKeyEntity = entity<SigningKeys>()({
  name: "signing-key",
  attributes: { kid: true, publicJwk: true, privateSealed: true, next: true, former: true, revision: true },
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  sk: () => "SIGNINGKEY",
});

export async function get(ref: WorkspaceRef): Promise<SigningKeys | undefined> {
  return Table.get<SigningKeys>(signingKeyEntity.key(ref));
}

/** The write of a workspace's first key. Its condition fails when the workspace has one. */
export const creating = (ref: WorkspaceRef, key: KeyPair): Write => signingKeyEntity.put(ref, key, "absent");

/** Stores the first key. Returns false when the workspace has one. */
export async function create(ref: WorkspaceRef, key: KeyPair): Promise<boolean> {
  return writeAll([creating(ref, key)]);
}

/** Replaces the keys. Returns false when another rotation came first. */
export async function replace(ref: WorkspaceRef, stored: SigningKeys, next: SigningKeys): Promise<boolean> {
  const { kid, revision } = stored;
  const write = signingKeyEntity.put(ref, { ...next, revision: (revision ?? 0) + 1 }, { kid, revision });
  return writeAll([write]);
}
