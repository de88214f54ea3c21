// A document's metadata. It is stored apart from the document's item, because checks of access read that item.
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { withFields } from "../../schema/with-fields.ts";
import { type DocumentDataRef, type DocumentUid, documentDataPartition, type WorkspaceRef } from "../refs.ts";
import type { Document } from "./document.ts";

interface MetadataItem {
  /** JSON: DynamoDB limits the precision of numbers. */
  metadata: string;
}

export const documentMetadataEntity = entity<MetadataItem>()({
  name: "document-metadata",
  attributes: ["metadata"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  sk: () => "METADATA",
});

/** The stored text of the documents that have metadata, by internal id. */
export async function textsOf({ workspace }: WorkspaceRef, documents: readonly (Document | undefined)[]) {
  const uids = documents.flatMap((each) => (each?.hasMetadata ? [each.documentUid] : []));
  const keys = uids.map((documentUid) => documentMetadataEntity.key({ workspace, documentUid }));
  const found = await Table.getMany<MetadataItem>(keys);
  return new Map<DocumentUid, string>(
    uids.flatMap((uid, index) => {
      const text = found[index]?.metadata;
      return text === undefined ? [] : [[uid, text] as const];
    }),
  );
}

/** The write that replaces the text; undefined: there is none. Its condition is that the text is still `before`. */
export function replacement(document: DocumentDataRef, before: string | undefined, after: string | undefined): Write {
  const condition = { metadata: before };
  if (after === undefined) return documentMetadataEntity.delete(document, condition);
  return documentMetadataEntity.put(document, { metadata: after }, condition);
}

export type Metadata = Record<string, unknown>;

/**
 * The stored text of a document's metadata after a change. The change is merged by key: null removes a key. `null` for
 * the whole metadata removes all keys. Undefined: the document has none.
 */
export function changedText(before: string | undefined, change: Metadata | null): string | undefined {
  const all = change === null ? {} : withFields<Metadata>(JSON.parse(before ?? "{}"), change);
  return Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
}
