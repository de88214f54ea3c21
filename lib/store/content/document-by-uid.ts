// Finds documents by their internal ids.
import type { DocumentDataRef, DocumentUid, WorkspaceRef } from "../refs.ts";
import * as Document from "./document.ts";
import * as Owner from "./owner.ts";

export type OwnedDocument = Document.Document & Owner.Owner;

/** The document that has the internal id, whatever its id is now; undefined when it was deleted. */
export async function documentByUid(ref: DocumentDataRef): Promise<OwnedDocument | undefined> {
  let owner = await Owner.get(ref);
  while (owner) {
    const document = await Document.get({ workspace: ref.workspace, ...owner });
    if (document?.documentUid === ref.documentUid) return { ...document, organizationId: owner.organizationId };
    // A migration may have changed the document's id between the two reads. Then it is not deleted.
    const later = await Owner.get(ref);
    if (later?.documentId === owner.documentId) return undefined;
    owner = later;
  }
  return undefined;
}

/** As `documentByUid`, for many internal ids. Omits deleted documents, purged or not. */
export async function documentsByUid(
  { workspace }: WorkspaceRef,
  documentUids: Iterable<DocumentUid>,
): Promise<Map<DocumentUid, OwnedDocument>> {
  const distinct = [...new Set(documentUids)];
  const found = await Promise.all(distinct.map((documentUid) => documentByUid({ workspace, documentUid })));
  return new Map(found.flatMap((document) => (document ? [[document.documentUid, document] as const] : [])));
}
