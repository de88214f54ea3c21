// From a document's internal id back to the name that it has now. The data under an internal id outlives the name, and
// a document can get another one. The document exists as long as its name points to the internal id.
import { entity } from "../dynamodb/entity.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commit } from "../jobs/commit.ts";
import { type DocumentDataRef, documentDataPartition } from "./refs.ts";

export interface Owner {
  organizationId: string;
  documentId: string;
}

export const ownerEntity = entity<Owner>()({
  name: "document-owner",
  attributes: { organizationId: true, documentId: true },
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  sk: () => "OWNER",
});

/** Says which document has the internal id. An existing entry stays: it may already name the document's new id. */
export function naming(ref: DocumentDataRef, { organizationId, documentId }: Owner): Write {
  return ownerEntity.update(ref, { setIfAbsent: { organizationId, documentId } });
}

/** The same as a call of its own, written only when there is no entry yet. */
export async function name(ref: DocumentDataRef, owner: Owner): Promise<void> {
  if (!(await get(ref))) await commit([naming(ref, owner)]);
}

/** The document that was last said to have the internal id. */
export async function get(ref: DocumentDataRef): Promise<Owner | undefined> {
  return Table.get<Owner>(ownerEntity.key(ref));
}
