// The document that a call means, where it may come without an organization (decision C3).
import { invalidField } from "../errors.ts";
import * as Document from "../store/document.ts";

/** A document's name, and the uid that its data hangs from. */
export interface FoundDocument {
  workspace: string;
  organizationId: string;
  documentId: string;
  uid: string;
}

/** Undefined: there is none. INVALID_ARGUMENT where several organizations have a document of that id. */
export async function findDocument(
  workspace: string,
  { organizationId, documentId }: { organizationId?: string | undefined; documentId: string },
): Promise<FoundDocument | undefined> {
  const owner = organizationId ?? (await onlyOrganization(workspace, documentId));
  if (owner === undefined) return undefined;
  const [document] = await Document.getMany(workspace, owner, [documentId]);
  return document && { workspace, organizationId: owner, documentId, uid: document.uid };
}

async function onlyOrganization(workspace: string, documentId: string): Promise<string | undefined> {
  const [organization, another] = await Document.organizationsOf(workspace, documentId, 2);
  if (another !== undefined) {
    throw invalidField(["organizationId"], "Is required: several organizations have a document of this id.");
  }
  return organization;
}
