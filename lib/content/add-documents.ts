// Adds documents. A grant can reserve an id before its document exists. The document then takes over the reserved uid,
// and with it the grants.

import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Document from "../store/document.ts";
import { newDocumentUid, type OrganizationRef } from "../store/refs.ts";
import { requireOrganization } from "./require-organization.ts";

/** A document to add, without the internal id that `addDocuments` chooses. */
export type DocumentToAdd = Omit<Document.Document, "documentUid">;

/**
 * `pointers`: what the caller read for the documents, in the same order. Returns the ids of the added documents. The
 * others existed already. Throws NOT_FOUND if the organization is deleted meanwhile.
 */
export async function addDocuments(
  organization: OrganizationRef,
  documents: readonly DocumentToAdd[],
  pointers: readonly (Document.Pointer | undefined)[],
): Promise<Set<string>> {
  const added = new Set<string>();
  let rest = documents.map((document, index) => ({ document, pointer: pointers[index] }));
  return retryOnConflict("documents", async () => {
    const units = rest
      .filter(({ pointer }) => !Document.isDocument(pointer))
      .map(({ document, pointer }) => {
        const complete = { ...document, documentUid: pointer?.documentUid ?? newDocumentUid() };
        return { document, writes: Document.creation(organization, complete, pointer?.documentUid) };
      });
    const written = await commitEach(units, (group) => ({
      events: group.map(({ document }) => documentAdded(organization, document)),
    }));
    for (const [index, { document }] of units.entries()) if (written[index]) added.add(document.documentId);
    const failed = units.map(({ document }) => document).filter(({ documentId }) => !added.has(documentId));
    if (failed.length === 0) return added;
    // Another call added the document, or only reserved its id. In the second case the next attempt adds it.
    const [found] = await Promise.all([
      Document.pointers(
        organization,
        failed.map(({ documentId }) => documentId),
      ),
      requireOrganization(organization),
    ]);
    rest = failed.map((document, index) => ({ document, pointer: found[index] }));
    return conflict;
  });
}

function documentAdded(
  { workspace, organizationId }: OrganizationRef,
  { documentId, documentName, ancestors: [folderId] }: DocumentToAdd,
) {
  const data = { documentId, documentName, folderId };
  return { type: "document.add" as const, workspace, organizationId, documentId, data };
}
