// What a workspace's permission provider has answered about a user and a document (DECISIONS.md#permission-provider). Calls
// of users read it. Only permissions/get asks. No escaped id contains "%C", so the grant `table:calls` fits no other item.
import { hash } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import { tryUpdate } from "../../dynamodb/try-update.ts";
import type { AccessRole } from "../../schema/primitives.ts";
import { callCountPartition } from "../call-count.ts";
import type { WorkspaceRef } from "../refs.ts";

const keptMs = 60_000;

export interface AnswerRef extends WorkspaceRef {
  organizationId: string;
  userId: string;
  documentId: string;
}

interface ProviderAnswer {
  /** Absent: the provider has denied access. */
  accessRole?: AccessRole | undefined;
  /** ms since the epoch. */
  endsAt: number;
  /** Unix seconds. */
  ttl: number;
}

export const providerAnswerEntity = entity<ProviderAnswer>()({
  name: "provider-answer",
  attributes: { accessRole: true, endsAt: true, ttl: true },
  pk: (ref: WorkspaceRef) => callCountPartition(ref),
  prefix: "ANSWER#",
  // A hash, so that no erasure has to look for the user.
  sk: ({ organizationId, userId, documentId }: Omit<AnswerRef, "workspace">) =>
    hash("sha256", JSON.stringify([organizationId, userId, documentId]), "base64url"),
});

/** The answers that count now, in the order of the refs. */
export async function getMany(refs: readonly AnswerRef[]): Promise<(ProviderAnswer | undefined)[]> {
  const found = await Table.getMany<ProviderAnswer>(refs.map((ref) => providerAnswerEntity.key(ref)));
  return found.map((each) => (each && Date.now() < each.endsAt ? each : undefined));
}

/** Stores an answer for a minute, and not past `expiresAt` (Unix seconds). */
export async function keep(ref: AnswerRef, accessRole: AccessRole | undefined, expiresAt = Number.POSITIVE_INFINITY) {
  const endsAt = Math.min(Date.now() + keptMs, expiresAt * 1_000);
  const changes = {
    set: { accessRole, endsAt, ttl: Math.ceil(endsAt / 1_000) },
    remove: accessRole ? [] : (["accessRole"] as const),
  };
  await tryUpdate(providerAnswerEntity.update(ref, changes), { isRepeatable: true });
}
