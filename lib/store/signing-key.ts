// The key pair that signs a workspace's user tokens. The private half is sealed; the public half is for everyone.
import { entity } from "../dynamodb/entity.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

export interface SigningKey {
  kid: string;
  /** A JWK. */
  publicJwk: Record<string, string>;
  /** A JWK as JSON, sealed for `purposes.signingKey`. */
  privateSealed: string;
}

export const signingKeyEntity = entity<SigningKey>()({
  name: "signing-key",
  attributes: { kid: true, publicJwk: true, privateSealed: true },
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  sk: () => "SIGNINGKEY",
});

export async function get(ref: WorkspaceRef): Promise<SigningKey | undefined> {
  return Table.get<SigningKey>(signingKeyEntity.key(ref));
}

/** Stores a new key. Returns false when the workspace already has one. */
export async function create(ref: WorkspaceRef, key: SigningKey): Promise<boolean> {
  return commit([signingKeyEntity.put(ref, key, "absent")]);
}
