// Adds documents. An id may be reserved already, by a grant given before its document exists: the document takes the
// reservation over, with its uid and so its grants.
import { randomUUID } from "node:crypto";
import * as Table from "../dynamodb/table.ts";
import { ApiError } from "../errors.ts";
import * as Document from "../store/document.ts";

/** A round is lost only to a reservation made within it, and an id is reserved once. */
const roundsMax = 4;

/**
 * `pointers` is what stood under the ids when they were read, in their order. Answers the ids of the documents that
 * were added; the others exist.
 */
export async function addDocuments(
  workspace: string,
  organizationId: string,
  documents: readonly Omit<Document.Document, "uid">[],
  pointers: readonly (Document.Pointer | undefined)[],
): Promise<Set<string>> {
  const done = new Set<string>();
  let rest = documents.map((document, index) => ({ document, pointer: pointers[index] }));
  for (let round = 0; ; round++) {
    const units = rest
      .filter(({ pointer }) => !Document.isDocument(pointer))
      .map(({ document, pointer }) => {
        const named = { ...document, uid: pointer?.uid ?? randomUUID() };
        return { document, writes: Document.creation(workspace, organizationId, named, pointer?.uid) };
      });
    const outcome = await Table.commitEach(units, (added) => ({
      events: added.map(({ document }) => eventOf(workspace, organizationId, document)),
    }));
    for (const [index, { document }] of units.entries()) if (outcome[index]) done.add(document.documentId);
    const lost = units.map(({ document }) => document).filter(({ documentId }) => !done.has(documentId));
    if (lost.length === 0) return done;
    if (round === roundsMax) throw new ApiError("UNAVAILABLE", "The documents are being changed. Try again.");
    // Lost to a document, which ends it, or to a reservation made meanwhile, which does not.
    const found = await Document.pointers(
      workspace,
      organizationId,
      lost.map(({ documentId }) => documentId),
    );
    rest = lost.map((document, index) => ({ document, pointer: found[index] }));
  }
}

function eventOf(
  workspace: string,
  organizationId: string,
  { documentId, documentName, ancestors: [folderId] }: Omit<Document.Document, "uid">,
) {
  const data = { documentId, documentName, folderId };
  return { type: "document.add" as const, workspace, organizationId, documentId, data };
}
