// The grants on a document are stored under its internal id. A document that got its id by migration can also
// have grants under internal ids that were reserved for that id. Until the migration has moved them, they wait there.
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import { writeEach } from "../../dynamodb/write-each.ts";
import * as Document from "../content/document.ts";
import { type DocumentUid, newDocumentUid, type OrganizationRef } from "../refs.ts";

/** The internal ids under which the grants on a document are stored. */
export interface GrantUids {
  documentUid: DocumentUid;
  /** Internal ids with grants that wait for a migration. */
  waitingUids: readonly DocumentUid[];
  /** There is no document yet: the internal id is reserved for it. */
  isReserved: boolean;
}

const uidsOf = (pointer: Document.Pointer): GrantUids => ({
  documentUid: pointer.documentUid,
  waitingUids: pointer.waitingUids ?? [],
  isReserved: !Document.isDocument(pointer),
});

/** The internal ids for existing and for reserved documents, by document id. */
export async function known(organization: OrganizationRef, ids: readonly string[]): Promise<Map<string, GrantUids>> {
  const found = await Document.pointers(organization, ids);
  return new Map(found.flatMap((each) => (each ? [[each.documentId, uidsOf(each)] as const] : [])));
}

/**
 * The internal ids for each document. Reserves one for a document that does not exist yet. `check` runs beside each
 * read, and may throw: while the organization is being deleted, its documents are stored but not found.
 */
export async function reserve(
  organization: OrganizationRef,
  ids: readonly string[],
  check: () => Promise<unknown> = async () => {},
): Promise<Map<string, GrantUids>> {
  const found = new Map<string, GrantUids>();
  return retryOnConflict("documents", async () => {
    const rest = ids.filter((id) => !found.has(id));
    const [uidsById] = await Promise.all([known(organization, rest), check()]);
    for (const [id, uids] of uidsById) found.set(id, uids);
    const reservations = rest
      .filter((id) => !found.has(id))
      .map((documentId) => ({ documentId, documentUid: newDocumentUid() }))
      .map((each) => ({ ...each, writes: [Document.reservation(organization, each)] }));
    const reserved = await writeEach(reservations);
    for (const [index, each] of reservations.entries()) if (reserved[index]) found.set(each.documentId, uidsOf(each));
    // Another call has reserved the other ids or added their documents. The next attempt reads them.
    return ids.every((id) => found.has(id)) ? found : conflict;
  });
}

/** The reserved internal ids that have changed since, with the new ones: a migration gave the id to a document. */
export async function moved(organization: OrganizationRef, uidsById: ReadonlyMap<string, GrantUids>) {
  const reserved = [...uidsById].filter(([, { isReserved }]) => isReserved);
  const now = await known(
    organization,
    reserved.map(([id]) => id),
  );
  return new Map(
    reserved.flatMap(([id, { documentUid }]) => {
      const uids = now.get(id);
      return uids && uids.documentUid !== documentUid ? [[id, uids] as const] : [];
    }),
  );
}
