// The key pairs that sign a workspace's records (DECISIONS.md#records-keys). Each public half has an item of its own, so
// that any number of them stays listed.
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";
import type { KeyPair, SigningKeys } from "./signing-key.ts";

/** The key that signs, until the time at which `next` signs. */
export type RecordsKeys = Omit<SigningKeys, "former">;

export const recordsKeyEntity = entity<RecordsKeys>()({
  name: "records-key",
  attributes: { kid: true, publicJwk: true, privateSealed: true, next: true, revision: true },
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  sk: () => "RECORDSKEY",
});

export const publicRecordsKeyEntity = entity<Pick<KeyPair, "kid" | "publicJwk">>()({
  name: "public-records-key",
  attributes: { kid: true, publicJwk: true },
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#RECORDSKEYS`,
  sk: ({ kid }: Pick<KeyPair, "kid">) => kid,
});

export async function get(ref: WorkspaceRef): Promise<RecordsKeys | undefined> {
  return Table.get<RecordsKeys>(recordsKeyEntity.key(ref));
}

/** The public halves of all keys that the workspace has had. */
export async function publicKeys(ref: WorkspaceRef): Promise<KeyPair["publicJwk"][]> {
  const pages = await Array.fromAsync(Table.all<Pick<KeyPair, "publicJwk">>(publicRecordsKeyEntity.range(ref)));
  return pages.flat().map(({ publicJwk }) => publicJwk);
}

const listing = (ref: WorkspaceRef, key: KeyPair): Write =>
  publicRecordsKeyEntity.put({ ...ref, ...key }, key, "absent");

/** Stores the first key. Returns false when the workspace has one. */
export async function create(ref: WorkspaceRef, key: KeyPair): Promise<boolean> {
  return writeAll([recordsKeyEntity.put(ref, key, "absent"), listing(ref, key)]);
}

/** Replaces the keys, and lists the new one. Returns false when another rotation came first. */
export async function replace(
  ref: WorkspaceRef,
  { kid, revision }: RecordsKeys,
  next: RecordsKeys,
  fresh: KeyPair,
): Promise<boolean> {
  const keys = { ...next, revision: (revision ?? 0) + 1 };
  return writeAll([recordsKeyEntity.put(ref, keys, { kid, revision }), listing(ref, fresh)]);
}
