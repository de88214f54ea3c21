// Gives a document another id (DECISIONS.md#migration). One transaction moves its pointer, and so all data under its
// internal id. Before it, only the old id works. After it, only the new id works. The condition of every write is that
// nothing has changed since it was read, so overlapping or late runs change nothing twice.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { commit, commitEach } from "../jobs/commit.ts";
import * as Grant from "../store/access/grant.ts";
import { ancestorsOf } from "../store/content/ancestors.ts";
import * as Document from "../store/content/document.ts";
import { documentByUid } from "../store/content/document-by-uid.ts";
import * as Folder from "../store/content/folder.ts";
import * as Migration from "../store/content/migration.ts";
import type { DocumentDataRef, OrganizationRef } from "../store/refs.ts";

/**
 * A grant on a document also deletes the user's grants that wait for a migration, in one transaction. So a transaction
 * stays far below DynamoDB's 100 writes.
 */
const waitingMax = 10;

/** Whether the migration must wait until the grants of earlier migrations of its document have been moved. */
export const isWaiting = ({ status, switchedAt }: Migration.Migration) => status === "in_progress" && !switchedAt;

/** Runs the migration until it has switched, failed or must wait. Undefined: there is no such migration. */
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

/** Grants between two checks of the time. A page of 1 MB can have ten times as many. */
const pageGrants = 500;

type GrantItem = Grant.StoredGrant & { sk: string };

/**
 * Moves the grants that were given on the new id before the document had it: from the reserved internal id to the
 * internal id of the document. It runs after the switch. Before the switch, and if the migration fails, these grants
 * must not give access to the document. `after`: the sort key after which it starts. Returns the next `after` if
 * `until` (ms since the epoch) comes first. Safe to repeat.
 */
export async function moveGrants(
  [from, to]: [DocumentDataRef, DocumentDataRef],
  after: string | undefined,
  until: number,
): Promise<string | undefined> {
  const range = { ...Grant.documentGrantEntity.range(from), limit: pageGrants, after };
  for await (const grants of Table.all<GrantItem>(range)) {
    await movePage(from, to, grants);
    if (Date.now() > until) return grants.at(-1)?.sk;
  }
  return undefined;
}

async function movePage(from: DocumentDataRef, to: DocumentDataRef, grants: GrantItem[]): Promise<void> {
  const userIds = grants.map(({ userId }) => userId);
  const own = await Grant.listOnDocument(to, userIds);
  const units = grants.flatMap((grant, index) => {
    const { userId, generation } = grant;
    // The purge of the reserved id deletes an ended grant.
    if (!Grant.isActive(grant)) return [];
    const removal = Grant.documentGrantEntity.delete({ ...from, userId }, Grant.unchanged(grant));
    // The document's own grant counts. The other grant is removed now: it must not take effect when the own grant has
    // ended.
    if (own[index] && Grant.isActive(own[index]) && own[index].generation >= generation) return [{ writes: [removal] }];
    // One transaction: a grant that was removed or changed meanwhile must not come back.
    const put = Grant.onDocument(to, grant, Grant.unchanged(own[index]));
    return [{ writes: [put, removal] }];
  });
  await commitEach(units);
}
