// Auth tokens: only a token's SHA-256 is stored. It has 256 random bits, so a slow hash would add nothing.
import { hash, randomBytes } from "node:crypto";
import * as Table from "../dynamodb/table.ts";
import { removeAll } from "../jobs/commit.ts";
import { keys } from "./keys.ts";

export interface AuthToken {
  hash: string;
  name: string;
  createdAt: string;
  /** The first characters, to tell tokens apart in a list. */
  prefix: string;
}

export function hashOf(token: string): string {
  return hash("sha256", token, "hex");
}

/** What names a token in lists and when it is revoked: says nothing that would help to guess it. */
export const idOf = (hash: string) => hash.slice(0, 12);

/** What a list may show of a token. */
export function masked({ hash, prefix, name, createdAt }: AuthToken) {
  return { id: idOf(hash), authToken: `${prefix}…`, name, createdAt };
}

/** Creates a token; this is the only time that it is shown. */
export async function create(workspace: string, { name = "" }: { name?: string } = {}): Promise<{ authToken: string }> {
  const authToken = `at_${randomBytes(32).toString("base64url")}`;
  const record: AuthToken = {
    hash: hashOf(authToken),
    name,
    createdAt: new Date().toISOString(),
    prefix: authToken.slice(0, 7),
  };
  await Table.commit([{ put: { ...keys.token(workspace, record.hash), ...record } }]);
  return { authToken };
}

export async function list(workspace: string): Promise<AuthToken[]> {
  const { pk, sk } = keys.token(workspace, "");
  return (await Array.fromAsync(Table.all<AuthToken>({ pk, beginsWith: sk }))).flat();
}

/** Revokes all. */
export async function revokeAll(workspace: string): Promise<void> {
  await removeAll((await list(workspace)).map(({ hash }) => keys.token(workspace, hash)));
}

/** False: there was no such token. */
export async function revoke(workspace: string, hash: string): Promise<boolean> {
  return Table.commit([{ delete: keys.token(workspace, hash), if: "present" }]);
}
