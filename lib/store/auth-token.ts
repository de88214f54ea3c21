// Auth tokens. Only the SHA-256 of a token is stored. A token has 256 random bits, so a slow hash is not needed.
import { hash, randomBytes } from "node:crypto";
import { deleteAll } from "../dynamodb/batch-write.ts";
import { entity } from "../dynamodb/entity.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import { type Scope, scopes } from "../schema/scopes.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

export interface AuthToken {
  hash: string;
  name: string;
  createdAt: string;
  /** The first characters, to tell tokens apart in a list. */
  prefix: string;
  /** Absent: all scopes. */
  scopes?: readonly Scope[];
  /** Unix seconds; absent: it does not expire. */
  expiresAt?: number;
}

/** What a token may do, and until when. */
export interface TokenRights {
  scopes: readonly Scope[];
  /** Unix seconds; undefined: it does not expire. */
  expiresAt: number | undefined;
}

export const authTokenEntity = entity<AuthToken>()({
  name: "auth-token",
  attributes: { hash: true, name: true, createdAt: true, prefix: true, scopes: true, expiresAt: true },
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  prefix: "TOKEN#",
  sk: (token: Pick<AuthToken, "hash">) => token.hash,
});

export function hashOf(token: string): string {
  return hash("sha256", token, "hex");
}

/** The public id of a token, for lists and for its revocation. It does not help to guess the token. */
export const idOf = (hash: string) => hash.slice(0, 12);

/** What the token may do. Undefined: it has expired. */
export function rightsOf({ scopes: own = scopes, expiresAt }: AuthToken, now = Date.now()): TokenRights | undefined {
  return expiresAt !== undefined && expiresAt * 1_000 <= now ? undefined : { scopes: own, expiresAt };
}

/** The fields of a token that a list shows. */
export function masked({ hash, prefix, name, createdAt }: AuthToken) {
  return { id: idOf(hash), authToken: `${prefix}…`, name, createdAt };
}

/** Creates a token and returns it. Only its hash is stored, so the token cannot be shown again. */
export async function create(
  { workspace }: WorkspaceRef,
  { name = "", ...rights }: { name?: string; scopes?: readonly Scope[]; expiresAt?: number } = {},
): Promise<{ authToken: string }> {
  const authToken = `at_${randomBytes(32).toString("base64url")}`;
  const record = {
    hash: hashOf(authToken),
    name,
    createdAt: new Date().toISOString(),
    prefix: authToken.slice(0, 7),
    ...rights,
  };
  await commit([authTokenEntity.put({ workspace, hash: record.hash }, record)]);
  return { authToken };
}

export async function list(ref: WorkspaceRef): Promise<AuthToken[]> {
  return (await Array.fromAsync(Table.all<AuthToken>(authTokenEntity.range(ref)))).flat();
}

export async function revokeAll({ workspace }: WorkspaceRef): Promise<void> {
  const tokens = await list({ workspace });
  await deleteAll(tokens.map(({ hash }) => authTokenEntity.key({ workspace, hash })));
}

/** Returns false when there is no such token. */
export async function revoke({ workspace }: WorkspaceRef, hash: string): Promise<boolean> {
  return commit([authTokenEntity.delete({ workspace, hash }, "present")]);
}
