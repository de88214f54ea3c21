// From a uid back to the document that has it now: data under a uid outlives its document's name, and a document can
// get another.
import { dataKeys } from "./data-keys.ts";
import * as Document from "./document.ts";
import * as Table from "./table.ts";
import type { Write } from "./write.ts";

interface Owner {
  organizationId: string;
  documentId: string;
}

/** Says whose a uid is. Where that is said already it stays: a document that has moved since was read under its old id. */
export function naming(workspace: string, uid: string, { organizationId, documentId }: Owner): Write {
  return { update: dataKeys.owner(workspace, uid), setIfAbsent: { organizationId, documentId } };
}

export async function get(workspace: string, uid: string): Promise<Owner | undefined> {
  return Table.get<Owner>(dataKeys.owner(workspace, uid));
}

/** The documents that these uids belong to now. Those of deleted documents are left out, purged or not. */
export async function documentsOf(
  workspace: string,
  organizationId: string,
  uids: Iterable<string>,
): Promise<Map<string, Document.Document>> {
  const distinct = [...new Set(uids)];
  const owners = await Table.getMany<Owner>(distinct.map((uid) => dataKeys.owner(workspace, uid)));
  const ids = owners.flatMap((owner) => owner?.documentId ?? []);
  const found = await Document.getMany(workspace, organizationId, ids);
  const living = found.filter((document) => document !== undefined);
  const named = new Map(living.map((document) => [document.uid, document]));
  return new Map(distinct.flatMap((uid) => (named.has(uid) ? [[uid, named.get(uid) as Document.Document]] : [])));
}
