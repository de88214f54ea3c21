// From a uid back to the document that has it now: data under a uid outlives its document's name, and a document can
// get another. The document lives as long as that name points to the uid.

import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commit } from "../jobs/commit.ts";
import { dataKeys } from "./data-keys.ts";
import * as Document from "./document.ts";

export interface Owner {
  organizationId: string;
  documentId: string;
}

/** Says whose a uid is. Where that is said already it stays: a document that has moved since was read under its old id. */
export function naming(workspace: string, uid: string, { organizationId, documentId }: Owner): Write {
  return { update: dataKeys.owner(workspace, uid), setIfAbsent: { organizationId, documentId } };
}

/** The same at once, for who adds what hangs from the uid; written only with the first of it. */
export async function name(workspace: string, uid: string, owner: Owner): Promise<void> {
  if (!(await get(workspace, uid))) await commit([naming(workspace, uid, owner)]);
}

/** Whose a uid was said to be last. */
export async function get(workspace: string, uid: string): Promise<Owner | undefined> {
  return Table.get<Owner>(dataKeys.owner(workspace, uid));
}

/** The living document that has the uid now, under whatever name. */
export async function documentOf(workspace: string, uid: string): Promise<(Document.Document & Owner) | undefined> {
  const owner = await get(workspace, uid);
  if (!owner) return undefined;
  const [document] = await Document.getMany(workspace, owner.organizationId, [owner.documentId]);
  return document?.uid === uid ? { ...document, organizationId: owner.organizationId } : undefined;
}

/** The living documents that these uids belong to now. Those of deleted documents are left out, purged or not. */
export async function documentsOf(
  workspace: string,
  uids: Iterable<string>,
): Promise<Map<string, Document.Document & Owner>> {
  const distinct = [...new Set(uids)];
  const found = await Promise.all(distinct.map((uid) => documentOf(workspace, uid)));
  return new Map(found.flatMap((document) => (document ? [[document.uid, document] as const] : [])));
}
