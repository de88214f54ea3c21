// Finds the document of a call that can omit the organization (DECISIONS.md#calls-without-an-organization).
import { invalidField } from "../errors.ts";
import * as Document from "../store/document.ts";
import type { DocumentDataRef, DocumentRef, WorkspaceRef } from "../store/refs.ts";

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

async function onlyOrganization(ref: WorkspaceRef & { documentId: string }): Promise<string | undefined> {
  const [organization, another] = await Document.organizationsOf(ref, 2);
  if (another !== undefined) {
    throw invalidField(["organizationId"], "Is required: several organizations have a document of this id.");
  }
  return organization;
}
