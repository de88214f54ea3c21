// Changes to the auth tokens of a workspace. The condition of each change is the version of the list. So concurrent
// changes cannot exceed the limit, and cannot together revoke the last token with the scope `admin`. Items that a
// repeated call needs are kept beside the tokens for a day.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { hasEnded, ttlAfter } from "../../retention.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";
import { type AuthToken, authTokenEntity, idOf, listStored } from "./auth-token.ts";

/** Counts the changes of the list. Absent before the first change. */
export const authTokenListEntity = entity<{ version: number }>()({
  name: "auth-token-list",
  attributes: ["version"],
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  sk: () => "TOKENS",
});

/** A token that a call with an Idempotency-Key has created, sealed: the repeated call returns the same token. */
export const createdTokenEntity = entity<{ sealed: string; ttl: number }>()({
  name: "created-auth-token",
  attributes: ["sealed", "ttl"],
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  prefix: "TOKENMADE#",
  sk: ({ creationId }: { creationId: string }) => creationId,
});

/** A mark of a revoked token, so that a repeated revocation does not fail. */
export const revokedTokenEntity = entity<{ ttl: number }>()({
  name: "revoked-auth-token",
  attributes: ["ttl"],
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  prefix: "TOKENGONE#",
  sk: ({ tokenId }: { tokenId: string }) => segment(tokenId),
});

/**
 * Changes the tokens depending on all that are stored. After a concurrent change, `decide` runs again. When it returns
 * undefined, there is nothing to change.
 */
export async function change(
  { workspace }: WorkspaceRef,
  decide: (stored: AuthToken[]) => Write[] | undefined | Promise<Write[] | undefined>,
): Promise<void> {
  await retryOnConflict("auth tokens", async () => {
    // The version is read before the tokens: a change between the two reads makes the condition fail.
    const version = (await Table.get<{ version: number }>(authTokenListEntity.key({ workspace })))?.version;
    const writes = await decide(await listStored({ workspace }));
    if (!writes) return true;
    const set = { version: (version ?? 0) + 1 };
    const next = authTokenListEntity.update({ workspace }, { set }, { version });
    return (await writeAll([...writes, next])) || conflict;
  });
}

export const adding = ({ workspace }: WorkspaceRef, token: AuthToken): Write =>
  authTokenEntity.put({ workspace, hash: token.hash }, token, "absent");

export const removing = ({ workspace }: WorkspaceRef, { hash }: AuthToken): Write =>
  authTokenEntity.delete({ workspace, hash }, "present");

export function revoking({ workspace }: WorkspaceRef, token: AuthToken): Write[] {
  const mark = { ttl: ttlAfter("idempotentReply") };
  return [
    removing({ workspace }, token),
    revokedTokenEntity.put({ workspace, tokenId: idOf(token.hash) }, mark, "absent"),
  ];
}

/** Whether the token was revoked in the last day. */
export async function wasRevoked({ workspace }: WorkspaceRef, tokenId: string): Promise<boolean> {
  const mark = await Table.get<{ ttl: number }>(revokedTokenEntity.key({ workspace, tokenId }));
  return mark !== undefined && !hasEnded(mark);
}

export interface CreationRef extends WorkspaceRef {
  creationId: string;
}

export const keepingCopy = (ref: CreationRef, sealed: string): Write =>
  createdTokenEntity.put(ref, { sealed, ttl: ttlAfter("idempotentReply") }, "absent");

/** The sealed token that an earlier attempt of the call has created. */
export async function copyOf(ref: CreationRef): Promise<string | undefined> {
  const copy = await Table.get<{ sealed: string; ttl: number }>(createdTokenEntity.key(ref));
  return copy && !hasEnded(copy) ? copy.sealed : undefined;
}
