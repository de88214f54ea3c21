// Gives a document another id (DECISIONS.md#migration). One transaction moves its pointer, and with it all
// data under its internal id. Before it, only the old id works; after it, only the new one. Every write is conditional
// on what was read, so overlapping or late runs change nothing twice.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commit } from "../jobs/commit.ts";
import { ancestorsOf } from "../store/content/ancestors.ts";
import * as Document from "../store/content/document.ts";
import { documentByUid } from "../store/content/document-by-uid.ts";
import * as Folder from "../store/content/folder.ts";
import * as Migration from "../store/content/migration.ts";
import type { OrganizationRef } from "../store/refs.ts";

/**
 * A grant on a document also deletes the user's grants that wait for a migration, in one transaction. So a transaction
 * stays far below DynamoDB's 100 writes.
 */
const waitingMax = 10;

/** Whether it must wait until the grants of earlier migrations of its document have been moved. */
export const isWaiting = ({ status, switchedAt }: Migration.Migration) => status === "in_progress" && !switchedAt;

/**
 * Runs the migration until its ids are switched, it has failed or it must wait. Returns undefined if there is no such
 * migration.
 */
export async function switchIds(ref: Migration.MigrationRef): Promise<Migration.Migration | undefined> {
  return retryOnConflict("ids of a migration", async () => {
    const migration = await Migration.get(ref);
    if (!migration || migration.switchedAt || migration.status === "failed") return migration;
    const status = "in_progress";
    const hasBegun = migration.status === status || (await commit([Migration.change(ref, migration, { status })]));
    const isDecided = hasBegun && (await trySwitch(ref, { ...migration, status }));
    return isDecided ? Migration.get(ref) : conflict;
  });
}

/** Tries once to switch the ids or to fail the migration, unless it must wait. Returns false if a condition failed. */
async function trySwitch(organization: OrganizationRef, migration: Migration.Migration): Promise<boolean> {
  const { documentId, newDocumentId, documentUid } = migration;
  const [document, other] = await Document.pointers(organization, [documentId, newDocumentId]);
  const change = (set: Partial<Migration.Migration>) => Migration.change(organization, migration, set);
  if (!Document.isDocument(document) || document.documentUid !== documentUid) {
    return fail("The document was deleted, or moved to another id.");
  }
  if (Document.isDocument(other)) return fail("A document with the new id was added.");
  // A deletion that lists the folder while the ids switch can see neither id.
  if (await isInGoingFolder(organization, document)) return fail("The document's folder is being deleted.");
  if (other && (document.waitingUids?.length ?? 0) >= waitingMax) return true;
  const switchedAt = new Date().toISOString();
  const end = other ? { switchedAt, reservedUid: other.documentUid } : { switchedAt, status: "completed" as const };
  const names = Document.renaming(organization, document, newDocumentId, other?.documentUid);
  return commit([...names, change(end)], { events: other ? [] : [migrationCompleted(organization, migration)] });

  async function fail(reason: string): Promise<boolean> {
    const event = { ...migrationCompleted(organization, migration), type: "migration.failed" as const };
    const data = { ...event.data, reason };
    return commit([change({ status: "failed", reason })], { events: [{ ...event, data }] });
  }
}

async function isInGoingFolder(organization: OrganizationRef, document: Document.Document): Promise<boolean> {
  const above = await Folder.ofAncestors(organization, ancestorsOf(document));
  return [...above.values()].some(({ deletionJobId }) => deletionJobId !== undefined);
}

/** Completes a migration whose grants have been moved. */
export async function complete(organization: OrganizationRef, migration: Migration.Migration): Promise<void> {
  if (migration.status === "completed") return;
  const change = Migration.change(organization, migration, { status: "completed" });
  await commit([change], { events: [migrationCompleted(organization, migration)] });
}

/** Ends the wait of the document's moved grants. The document can have another id by now, or be deleted. */
export async function endWait({ workspace, organizationId }: OrganizationRef, migration: Migration.Migration) {
  const { documentUid, reservedUid } = migration;
  if (!reservedUid) return;
  await retryOnConflict("document", async () => {
    const document = await documentByUid({ workspace, documentUid });
    if (!document?.waitingUids?.includes(reservedUid)) return undefined;
    const write = Document.withoutWaiting({ workspace, organizationId }, document, reservedUid);
    return (await commit([write])) ? undefined : conflict;
  });
}

function migrationCompleted({ workspace, organizationId }: OrganizationRef, migration: Migration.Migration) {
  const { migrationId, documentId, newDocumentId } = migration;
  const data = { migrationId, newDocumentId };
  const channels = [`document:${newDocumentId}`];
  return { type: "migration.completed" as const, workspace, organizationId, documentId, data, channels };
}
