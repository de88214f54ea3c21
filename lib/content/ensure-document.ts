import { ApiError, notFound } from "../errors.ts";
import * as Document from "../store/content/document.ts";
import type { DocumentRef, DocumentUid } from "../store/refs.ts";
import { addDocuments } from "./add-documents.ts";
import { createOrganizations } from "./create-organizations.ts";

interface Creation {
  createOrganization?: boolean | undefined;
  createDocument?: boolean | undefined;
}

/**
 * Returns the internal id of the document. Creates a missing organization or document if its flag is set; the document
 * is added to the organization's root. Otherwise throws NOT_FOUND and creates nothing. `hasOrganization` and `pointer`
 * are what the caller has read.
 */
export async function ensureDocument(
  { documentId, ...organization }: DocumentRef,
  { createOrganization, createDocument }: Creation,
  { hasOrganization, pointer }: { hasOrganization: boolean; pointer: Document.Pointer | undefined },
): Promise<DocumentUid> {
  if (!hasOrganization && !createOrganization) throw notFound("organization");
  if (Document.isDocument(pointer)) return pointer.documentUid;
  if (!createDocument) throw notFound("document");
  if (!hasOrganization) await createOrganizations(organization, [organization]);
  const document = { documentId, ancestors: [], createdAt: new Date().toISOString() };
  await addDocuments(organization, [document], [pointer]);
  const created = await Document.get({ ...organization, documentId });
  if (!created) throw new ApiError("UNAVAILABLE", "The document is being deleted. Try again.");
  return created.documentUid;
}
