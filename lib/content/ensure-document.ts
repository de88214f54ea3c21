import { ApiError } from "../errors.ts";
import * as Document from "../store/document.ts";
import * as Organization from "../store/organization.ts";
import { addDocuments } from "./add-documents.ts";

interface Wanted {
  organizationId: string;
  documentId: string;
  createOrganization?: boolean | undefined;
  createDocument?: boolean | undefined;
}

/**
 * The uid of the document. What is missing is created where that is asked for, the document at the organization's root;
 * else NOT_FOUND, and nothing is created. `found` is what was there.
 */
export async function ensureDocument(
  workspace: string,
  { organizationId, documentId, createOrganization, createDocument }: Wanted,
  found: { hasOrganization: boolean; pointer: Document.Pointer | undefined },
): Promise<string> {
  const { hasOrganization, pointer } = found;
  if (!hasOrganization && !createOrganization) throw new ApiError("NOT_FOUND", "The organization does not exist.");
  if (Document.isDocument(pointer)) return pointer.uid;
  if (!createDocument) throw new ApiError("NOT_FOUND", "The document does not exist.");
  if (!hasOrganization) await Organization.createMissing(workspace, [{ organizationId }]);
  const document = { documentId, ancestors: [], createdAt: new Date().toISOString() };
  await addDocuments(workspace, organizationId, [document], [pointer]);
  const [created] = await Document.getMany(workspace, organizationId, [documentId]);
  if (!created) throw new ApiError("UNAVAILABLE", "The document is being deleted. Try again.");
  return created.uid;
}
