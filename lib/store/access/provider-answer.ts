// What the permission provider of a workspace has answered about a user and a document (DECISIONS.md#calls-of-users).
// permissions/get and live/open ask the provider and keep the answer. The other calls of the user read it.
import { hash } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import { tryUpdate } from "../../dynamodb/try-update.ts";
import { atMost } from "../../dynamodb/write.ts";
import type { AccessRole } from "../../schema/primitives.ts";
import { callCountPartition } from "../call-count.ts";
import type { WorkspaceRef } from "../refs.ts";

const keptMs = 60_000;

export interface AnswerRef extends WorkspaceRef {
  organizationId: string;
  userId: string;
  documentId: string;
}

interface Answer {
  accessRole?: AccessRole | undefined;
  /** Unix seconds. */
  expiresAt?: number | undefined;
}

interface ProviderAnswer {
  /** Absent: the provider has denied access. */
  accessRole?: AccessRole | undefined;
  /** When the provider was asked, and when the answer ends. Both are ms since the epoch. */
  askedAt: number;
  endsAt: number;
  /** Unix seconds. */
  ttl: number;
}

export const providerAnswerEntity = entity<ProviderAnswer>()({
  name: "provider-answer",
  attributes: ["accessRole", "askedAt", "endsAt", "ttl"],
  // Not beside the counts, which many answers would slow down.
  pk: (ref: WorkspaceRef, shard) => callCountPartition(ref, `ANSWERS#${shard}`),
  shardBy: ({ userId }) => userId,
  // A hash, so that no erasure has to look for the user.
  sk: ({ organizationId, userId, documentId }: Omit<AnswerRef, "workspace">) =>
    hash("sha256", JSON.stringify([organizationId, userId, documentId]), "base64url"),
});

/** The answers that count now, in the order of the refs. */
export async function getMany(refs: readonly AnswerRef[]): Promise<(ProviderAnswer | undefined)[]> {
  const found = await Table.getMany<ProviderAnswer>(refs.map((ref) => providerAnswerEntity.key(ref)));
  return found.map((each) => (each && Date.now() < each.endsAt ? each : undefined));
}

/**
 * Keeps an answer for a minute from its question on, and not past `expiresAt` (Unix seconds). An answer to a later
 * question stays.
 */
export async function keep(
  ref: AnswerRef,
  { accessRole, expiresAt = Number.POSITIVE_INFINITY }: Answer,
  askedAt: number,
): Promise<void> {
  const endsAt = Math.min(askedAt + keptMs, expiresAt * 1_000);
  const set = { accessRole, askedAt, endsAt, ttl: Math.ceil(endsAt / 1_000) };
  const remove = accessRole ? [] : (["accessRole"] as const);
  const write = providerAnswerEntity.update(ref, { set, remove }, { askedAt: atMost(askedAt) });
  await tryUpdate(write, { isRepeatable: true });
}
