// Leads from a document's internal id back to its current document id. A deletion removes the id before the data, and a
// migration changes the id. The document exists only while its id points to the internal id.
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { type DocumentDataRef, documentDataPartition } from "../refs.ts";

export interface Owner {
  organizationId: string;
  documentId: string;
}

export const ownerEntity = entity<Owner>()({
  name: "document-owner",
  attributes: ["organizationId", "documentId"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  sk: () => "OWNER",
});

/** The write that stores the owner. An existing entry stays unchanged: it may already have the document's new id. */
function naming(ref: DocumentDataRef, { organizationId, documentId }: Owner): Write {
  return ownerEntity.update(ref, { setIfAbsent: { organizationId, documentId } });
}

/** Stores the owner when there is no entry yet. An entry is only read, since many calls of a document share it. */
export async function name(ref: DocumentDataRef, owner: Owner): Promise<void> {
  if (!(await get(ref))) await writeAll([naming(ref, owner)]);
}

/** The last document that had the internal id. It may be deleted. */
export async function get(ref: DocumentDataRef): Promise<Owner | undefined> {
  return Table.get<Owner>(ownerEntity.key(ref));
}
