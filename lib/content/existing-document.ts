import { ApiError } from "../errors.ts";
import * as Document from "../store/document.ts";
import * as Organization from "../store/organization.ts";

/** NOT_FOUND says which of the two is missing. */
export async function existingDocument(
  workspace: string,
  organizationId: string,
  documentId: string,
): Promise<Document.Document> {
  const [[document]] = await Promise.all([
    Document.getMany(workspace, organizationId, [documentId]),
    Organization.mustExist(workspace, organizationId),
  ]);
  if (!document) throw new ApiError("NOT_FOUND", "The document does not exist.");
  return document;
}
