// The key pair that a workspace's user tokens are signed with: the private half sealed, the public half for everyone.

import * as Table from "../dynamodb/table.ts";
import { keys } from "./keys.ts";

export interface SigningKey {
  kid: string;
  /** A JWK. */
  publicJwk: Record<string, string>;
  /** A JWK as JSON, sealed for the purpose `signing-key`. */
  privateSealed: string;
}

export async function get(workspace: string): Promise<SigningKey | undefined> {
  return Table.get<SigningKey>(keys.signingKey(workspace));
}

/** Stores a new key. False: the workspace has one already. */
export async function create(workspace: string, key: SigningKey): Promise<boolean> {
  return Table.commit([{ put: { ...keys.signingKey(workspace), ...key }, if: "absent" }]);
}
