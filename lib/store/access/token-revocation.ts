// When the tokens of a user were revoked last (DECISIONS.md#user-tokens). It ends when no token from before is valid.
import { hash } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { ttlAfter } from "../../retention.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

interface TokenRevocation {
  /** ms since the epoch. Each is later than the one before. */
  revokedAt: number;
  ttl: number;
}

export interface TokenOwner extends WorkspaceRef {
  userId: string;
}

export const tokenRevocationEntity = entity<TokenRevocation>()({
  name: "token-revocation",
  attributes: ["revokedAt", "ttl"],
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  prefix: "REVOKED#",
  // A hash, so that no erasure has to look for the user.
  sk: ({ userId }: Pick<TokenOwner, "userId">) => hash("sha256", userId, "base64url"),
});

/** The time of the last revocation, ms since the epoch. A new token has it. Undefined: none counts. */
export async function revokedAt(owner: TokenOwner): Promise<number | undefined> {
  return (await Table.get<TokenRevocation>(tokenRevocationEntity.key(owner)))?.revokedAt;
}

/** Refuses all tokens of the user that were made before now. */
export async function revoke(owner: TokenOwner): Promise<void> {
  await retryOnConflict("token revocation", async () => {
    const before = await revokedAt(owner);
    const at = Math.max(Date.now(), (before ?? 0) + 1);
    const item = { revokedAt: at, ttl: ttlAfter("revocation") };
    return (await writeAll([tokenRevocationEntity.put(owner, item, { revokedAt: before })])) ? undefined : conflict;
  });
}
