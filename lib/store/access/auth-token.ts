// Auth tokens. Only the SHA-256 of a token is stored. A token has 256 random bits, so a slow hash is not needed.
import { hash, randomBytes } from "node:crypto";
import { deleteAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { type Scope, scopes } from "../../schema/scopes.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

export interface AuthToken {
  hash: string;
  name: string;
  createdAt: string;
  /** The first characters, to tell tokens apart in a list. */
  prefix: string;
  scopes: readonly Scope[];
  /** Unix seconds; absent: it does not expire. */
  expiresAt?: number;
  /** The public id of the token that created it. Absent: an administrator created it. */
  createdBy?: string;
  ttl?: number;
}

/** The rights of a token, and their end. */
export interface TokenRights {
  scopes: readonly Scope[];
  /** Unix seconds; undefined: it does not expire. */
  expiresAt: number | undefined;
}

export const authTokenEntity = entity<AuthToken>()({
  name: "auth-token",
  attributes: ["hash", "name", "createdAt", "prefix", "scopes", "expiresAt", "createdBy", "ttl"],
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  prefix: "TOKEN#",
  sk: (token: Pick<AuthToken, "hash">) => token.hash,
});

export function hashOf(token: string): string {
  return hash("sha256", token, "hex");
}

/** The public id of a token, for lists and for its revocation. It does not help to guess the token. */
export const idOf = (hash: string) => hash.slice(0, 12);

/** The rights of the token. Undefined: it has expired. */
export function rightsOf({ scopes, expiresAt }: AuthToken, now = Date.now()): TokenRights | undefined {
  return expiresAt !== undefined && expiresAt * 1_000 <= now ? undefined : { scopes, expiresAt };
}

/** The fields that are shown when the value of a new token is shown. */
export function shown({ hash, name, createdAt, scopes, expiresAt, createdBy }: AuthToken) {
  return {
    id: idOf(hash),
    name,
    scopes: [...scopes],
    expiresAt: expiresAt ?? null,
    createdAt,
    createdBy: createdBy ?? null,
  };
}

/** The fields of a token that a list shows. */
export function masked(token: AuthToken) {
  return { ...shown(token), authToken: `${token.prefix}…` };
}

/** The fields that the creator of a token chooses. */
export type Wanted = { [Field in "name" | "scopes" | "expiresAt" | "createdBy"]?: AuthToken[Field] | undefined };

/** A new token, not stored, and its record. Only the hash is stored, so the token cannot be shown again. */
export function newToken({ name = "", scopes: own = scopes, expiresAt, createdBy }: Wanted = {}): {
  authToken: string;
  record: AuthToken;
} {
  const authToken = `at_${randomBytes(32).toString("base64url")}`;
  const now = Date.now();
  const record = {
    hash: hashOf(authToken),
    name,
    createdAt: new Date(now).toISOString(),
    prefix: authToken.slice(0, 7),
    scopes: scopes.filter((scope) => own.includes(scope)),
    ...(createdBy !== undefined && { createdBy }),
    // DynamoDB deletes nothing whose `ttl` is more than five years ago.
    ...(expiresAt !== undefined && { expiresAt, ttl: Math.max(expiresAt, Math.ceil(now / 1_000)) }),
  };
  return { authToken, record };
}

/** Creates a token without a look at the others, such as the first of a workspace. */
export async function create({ workspace }: WorkspaceRef, wanted: Wanted = {}): Promise<{ authToken: string }> {
  const { authToken, record } = newToken(wanted);
  await writeAll([authTokenEntity.put({ workspace, hash: record.hash }, record)]);
  return { authToken };
}

/** The tokens that have not expired. */
export async function list(ref: WorkspaceRef): Promise<AuthToken[]> {
  return (await listStored(ref)).filter((token) => rightsOf(token));
}

/** All tokens, including expired tokens that are not deleted yet. */
export async function listStored(ref: WorkspaceRef): Promise<AuthToken[]> {
  return Table.every<AuthToken>(authTokenEntity.range(ref));
}

export async function revokeAll({ workspace }: WorkspaceRef): Promise<void> {
  const tokens = await listStored({ workspace });
  await deleteAll(tokens.map(({ hash }) => authTokenEntity.key({ workspace, hash })));
}

/** Returns false when there is no such token. */
export async function revoke({ workspace }: WorkspaceRef, hash: string): Promise<boolean> {
  return writeAll([authTokenEntity.delete({ workspace, hash }, "present")]);
}
