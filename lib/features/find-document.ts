// Finds the document of a call that can omit the organization.
import { requireOrganization } from "../content/existing.ts";
import { invalidField, notFound } from "../errors.ts";
import * as Document from "../store/content/document.ts";
import { getStored, isBeingDeleted } from "../store/content/organization-life.ts";
import type { DocumentDataRef, DocumentRef, WorkspaceRef } from "../store/refs.ts";

const locatorsAtFirst = 10;

/** A document's public ids and its internal id. */
export type FoundDocument = DocumentRef & DocumentDataRef;

/** Undefined if there is none. Throws INVALID_ARGUMENT if several organizations have a document of that id. */
export async function findDocument(
  { workspace }: WorkspaceRef,
  { organizationId, documentId }: { organizationId?: string | undefined; documentId: string },
): Promise<FoundDocument | undefined> {
  const owner = organizationId ?? (await onlyOrganization({ workspace, documentId }));
  if (owner === undefined) return undefined;
  const ref = { workspace, organizationId: owner, documentId };
  const document = await Document.get(ref);
  return document && { ...ref, documentUid: document.documentUid };
}

/** As `findDocument`. Throws NOT_FOUND without the document, and INVALID_ARGUMENT without the organization. */
export async function requireDocument(
  { workspace }: WorkspaceRef,
  names: { organizationId?: string | undefined; documentId: string },
): Promise<FoundDocument> {
  const document = await findDocument({ workspace }, names);
  if (document) return document;
  const { organizationId } = names;
  if (organizationId !== undefined) await requireOrganization({ workspace, organizationId });
  throw notFound("document");
}

async function onlyOrganization(ref: WorkspaceRef & { documentId: string }): Promise<string | undefined> {
  const named = await Document.organizationsOf(ref, 2);
  const [organization, another] = named.length < 2 ? named : await foundOrganizations(ref);
  if (another !== undefined) {
    throw invalidField(["organizationId"], "Is required: several organizations have a document of this id.");
  }
  return organization;
}

/** Up to two organizations with a document of this id, without organizations that are being deleted. */
async function foundOrganizations(ref: WorkspaceRef & { documentId: string }): Promise<string[]> {
  for (let limit = locatorsAtFirst; ; limit *= 10) {
    const named = await Document.organizationsOf(ref, limit);
    const stored = await getStored(ref, named);
    const found = named.filter((_, index) => !isBeingDeleted(stored[index]));
    if (found.length >= 2 || named.length < limit) return found;
  }
}
