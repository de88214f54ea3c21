// Gives a document another id (decision C6). One transaction moves its name, and with it all that hangs from its uid, so
// the old id serves until then and the new one from then on. Every step is conditional on what it found: runs that
// overlap, or that wake late, change nothing twice.

import * as Table from "../dynamodb/table.ts";
import * as Document from "../store/document.ts";
import * as Migration from "../store/migration.ts";

/** A round is lost only to a call that changed one of the two ids within it. */
const roundsMax = 8;

/** Brings the migration to its switch, or to its failure; undefined where there is no such migration. */
export async function switchIds(
  workspace: string,
  organizationId: string,
  migrationId: string,
): Promise<Migration.Migration | undefined> {
  let migration = await Migration.get(workspace, organizationId, migrationId);
  for (let round = 0; round < roundsMax; round++) {
    if (!migration || migration.switchedAt || migration.status === "failed") return migration;
    if (migration.status === "pending") {
      await Table.commit([Migration.change(workspace, organizationId, migration, { status: "in_progress" })]);
    } else await attempt(workspace, organizationId, migration);
    migration = await Migration.get(workspace, organizationId, migrationId);
  }
  throw new Error(`The ids of migration ${migrationId} are being changed all the time.`);
}

/** One try to switch, or to fail; which it was, the migration says then. */
async function attempt(workspace: string, organizationId: string, migration: Migration.Migration): Promise<void> {
  const { documentId, newDocumentId, uid } = migration;
  const [document, other] = await Document.pointers(workspace, organizationId, [documentId, newDocumentId]);
  const change = (set: Partial<Migration.Migration>) => Migration.change(workspace, organizationId, migration, set);
  if (!Document.isDocument(document) || document.uid !== uid) {
    return fail("The document was deleted, or moved to another id.");
  }
  if (Document.isDocument(other)) return fail("A document with the new id was added.");
  const switchedAt = new Date().toISOString();
  const end = other ? { switchedAt, reservedUid: other.uid } : { switchedAt, status: "completed" as const };
  const names = Document.renaming(workspace, organizationId, document, newDocumentId, other?.uid);
  await Table.commit([...names, change(end)], {
    events: other ? [] : [completion(workspace, organizationId, migration)],
  });

  async function fail(reason: string): Promise<void> {
    const event = { ...completion(workspace, organizationId, migration), type: "migration.failed" as const };
    const data = { ...event.data, reason };
    await Table.commit([change({ status: "failed", reason })], { events: [{ ...event, data }] });
  }
}

/** Ends a migration whose grants have followed. */
export async function complete(
  workspace: string,
  organizationId: string,
  migration: Migration.Migration,
): Promise<void> {
  if (migration.status === "completed") return;
  const change = Migration.change(workspace, organizationId, migration, { status: "completed" });
  await Table.commit([change], { events: [completion(workspace, organizationId, migration)] });
}

function completion(workspace: string, organizationId: string, migration: Migration.Migration) {
  const { migrationId, documentId, newDocumentId } = migration;
  const data = { migrationId, newDocumentId };
  const channels = [`document:${newDocumentId}`];
  return { type: "migration.completed" as const, workspace, organizationId, documentId, data, channels };
}
