// A document's way to another id, from the call that asks for it to its end.

import * as Table from "../dynamodb/table.ts";
import type { Condition, Write } from "../dynamodb/write.ts";
import { dataKeys } from "./data-keys.ts";

export const migrationStatuses = ["pending", "in_progress", "completed", "failed"] as const;
export type MigrationStatus = (typeof migrationStatuses)[number];

export interface Migration {
  migrationId: string;
  documentId: string;
  newDocumentId: string;
  /** Of the document that was meant: one that is added again under its id is another. */
  uid: string;
  status: MigrationStatus;
  createdAt: string;
  updatedAt: string;
  /** Present from then on: the new id serves, the old one is gone. */
  switchedAt?: string;
  /** Under which grants were given to the new id before; they follow after the switch. */
  reservedUid?: string;
  /** Why it failed. */
  reason?: string;
}

export async function get(workspace: string, organizationId: string, id: string): Promise<Migration | undefined> {
  return Table.get<Migration>(dataKeys.migration(workspace, organizationId, id));
}

export function creation(
  workspace: string,
  organizationId: string,
  { migrationId, ...rest }: Pick<Migration, "migrationId" | "documentId" | "newDocumentId" | "uid">,
): Write {
  const now = new Date().toISOString();
  const record: Migration = { migrationId, ...rest, status: "pending", createdAt: now, updatedAt: now };
  return { put: { ...dataKeys.migration(workspace, organizationId, migrationId), ...record }, if: "absent" };
}

/** Its condition is lost where another run has changed the migration since it was read. */
export function change(
  workspace: string,
  organizationId: string,
  { migrationId, status, switchedAt }: Migration,
  set: Partial<Migration>,
): Write {
  const unchanged: Condition = { status, switchedAt };
  const changed = { ...set, updatedAt: new Date().toISOString() };
  return { update: dataKeys.migration(workspace, organizationId, migrationId), set: changed, if: unchanged };
}
