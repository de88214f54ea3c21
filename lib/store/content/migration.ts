// The migration of a document to another id.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Condition, Write } from "../../dynamodb/write.ts";
import {
  type Descendants,
  type DocumentUid,
  documentDataPartition,
  type OrganizationRef,
  organizationPartition,
  type WorkspaceRef,
} from "../refs.ts";
import { getOf } from "./organization-life.ts";

export const migrationStatuses = ["pending", "in_progress", "completed", "failed"] as const;
export type MigrationStatus = (typeof migrationStatuses)[number];

export interface Migration {
  migrationId: string;
  documentId: string;
  newDocumentId: string;
  /** Identifies the document. A document that is added again under the same id is another one. */
  documentUid: DocumentUid;
  status: MigrationStatus;
  createdAt: string;
  updatedAt: string;
  /** The time from which only the new id is valid; absent before. */
  switchedAt?: string;
  /** The internal id of grants that were given on the new id before the switch. They move to the document after it. */
  reservedUid?: DocumentUid;
  /** Why it failed. */
  reason?: string;
}

export interface MigrationRef extends OrganizationRef {
  migrationId: string;
}

export const migrationEntity = entity<Migration>()({
  name: "migration",
  attributes: [
    "migrationId",
    "documentId",
    "newDocumentId",
    "documentUid",
    "status",
    "createdAt",
    "updatedAt",
    "switchedAt",
    "reservedUid",
    "reason",
  ],
  pk: (ref: OrganizationRef) => organizationPartition(ref),
  prefix: "MIGRATION#",
  sk: ({ migrationId }: { migrationId: string }) => segment(migrationId),
});

/** The grants that the migration must still move. No other pointer leads to them. */
export function migrationDescendants({ workspace, reservedUid }: Migration & WorkspaceRef): Descendants {
  if (reservedUid === undefined) return {};
  return { partitions: [documentDataPartition({ workspace, documentUid: reservedUid })] };
}

export async function get(ref: MigrationRef): Promise<Migration | undefined> {
  return getOf<Migration>(ref, migrationEntity.key(ref));
}

export function creation(
  ref: MigrationRef,
  { documentId, newDocumentId, documentUid }: Pick<Migration, "documentId" | "newDocumentId" | "documentUid">,
): Write {
  const now = new Date().toISOString();
  const { migrationId } = ref;
  const pending = { migrationId, documentId, newDocumentId, documentUid, status: "pending" } as const;
  return migrationEntity.put(ref, { ...pending, createdAt: now, updatedAt: now }, "absent");
}

/** The condition fails when another run has changed the migration since it was read. */
export function change(
  organization: OrganizationRef,
  { migrationId, status, switchedAt }: Migration,
  set: Partial<Migration>,
): Write {
  const unchanged: Condition = { status, switchedAt };
  const changed = { ...set, updatedAt: new Date().toISOString() };
  return migrationEntity.update({ ...organization, migrationId }, { set: changed }, unchanged);
}
