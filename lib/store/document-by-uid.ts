// Finds documents by their internal ids.
import * as Document from "./document.ts";
import * as Owner from "./owner.ts";
import type { DocumentDataRef, DocumentUid, WorkspaceRef } from "./refs.ts";

export type OwnedDocument = Document.Document & Owner.Owner;

/** The document that has the internal id, whatever its id is now; undefined when it was deleted. */
export async function documentByUid(ref: DocumentDataRef): Promise<OwnedDocument | undefined> {
  const owner = await Owner.get(ref);
  if (!owner) return undefined;
  const document = await Document.get({ workspace: ref.workspace, ...owner });
  return document?.documentUid === ref.documentUid ? { ...document, organizationId: owner.organizationId } : undefined;
}

/** The same for many, by internal id. Omits deleted documents, purged or not. */
export async function documentsByUid(
  { workspace }: WorkspaceRef,
  documentUids: Iterable<DocumentUid>,
): Promise<Map<DocumentUid, OwnedDocument>> {
  const distinct = [...new Set(documentUids)];
  const found = await Promise.all(distinct.map((documentUid) => documentByUid({ workspace, documentUid })));
  return new Map(found.flatMap((document) => (document ? [[document.documentUid, document] as const] : [])));
}
