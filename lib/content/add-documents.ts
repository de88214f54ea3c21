// Adds documents. A grant can reserve an internal id before its document exists. The document then gets the reserved
// internal id, and so the grants.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Document from "../store/content/document.ts";
import * as DocumentMetadata from "../store/content/document-metadata.ts";
import { type DocumentUid, newDocumentUid, type OrganizationRef } from "../store/refs.ts";
import { requireOrganization } from "./existing.ts";

/** A document to add, without the internal id that `addDocuments` chooses. */
type DocumentToAdd = Omit<Document.Document, "documentUid" | "hasMetadata"> & {
  metadata?: DocumentMetadata.Metadata | undefined;
};

/**
 * `pointers`: the stored pointers that the caller has read, in the same order. Returns the ids of the added documents.
 * The other documents existed already. Throws INVALID_ARGUMENT if the organization is deleted meanwhile.
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
      .map(({ document, pointer }) => ({ document, writes: creation(organization, document, pointer?.documentUid) }));
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

/** `reservedUid` is the internal id that was reserved for the document before. */
function creation(organization: OrganizationRef, { metadata, ...document }: DocumentToAdd, reservedUid?: DocumentUid) {
  const documentUid = reservedUid ?? newDocumentUid();
  const text = DocumentMetadata.changedText(undefined, metadata ?? {});
  const complete = { ...document, documentUid, ...(text !== undefined && { hasMetadata: true as const }) };
  const writes = Document.creation(organization, complete, reservedUid);
  if (text === undefined) return writes;
  const { workspace } = organization;
  return [...writes, DocumentMetadata.replacement({ workspace, documentUid }, undefined, text)];
}

function documentAdded(
  { workspace, organizationId }: OrganizationRef,
  { documentId, documentName, ancestors: [folderId] }: DocumentToAdd,
) {
  const data = { documentId, documentName, folderId };
  return { type: "document.add" as const, workspace, organizationId, documentId, data };
}
