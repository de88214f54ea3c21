// Adds documents. An id may be reserved already, by a grant given before its document exists: the document takes the
// reservation over, with its uid and so its grants.

import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Document from "../store/document.ts";
import { newDocumentUid, type OrganizationRef } from "../store/refs.ts";

/** A document to add. Its fields are named here: a new field of the request is not stored unless it is added. */
export type NewDocument = Omit<Document.Document, "documentUid">;

/**
 * `pointers` are those that were read for the ids, in their order. Returns the ids of the documents that were added;
 * the others exist.
 */
export async function addDocuments(
  organization: OrganizationRef,
  documents: readonly NewDocument[],
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
    // Another call added the document, which ends this, or reserved its id, which does not.
    const found = await Document.pointers(
      organization,
      failed.map(({ documentId }) => documentId),
    );
    rest = failed.map((document, index) => ({ document, pointer: found[index] }));
    return conflict;
  });
}

function documentAdded(
  { workspace, organizationId }: OrganizationRef,
  { documentId, documentName, ancestors: [folderId] }: NewDocument,
) {
  const data = { documentId, documentName, folderId };
  return { type: "document.add" as const, workspace, organizationId, documentId, data };
}
