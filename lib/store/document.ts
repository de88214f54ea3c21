// A document's id is a name: its item points to a uid, and everything of the document hangs from that. Deleting removes
// the pointer, so the data is gone for every reader at once, and an id added again gets a new uid.
import { randomUUID } from "node:crypto";
import { fitting, type Position, pageOfShards } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "../jobs/commit.ts";
import type { AccessType } from "../schema/primitives.ts";
import { pageOfChildren } from "./children.ts";
import { dataKeys } from "./data-keys.ts";
import { root } from "./folder.ts";
import { keys } from "./keys.ts";

export interface Document {
  documentId: string;
  uid: string;
  documentName?: string | undefined;
  /** Its folder and the folder's ancestors, nearest first; empty at the root. */
  ancestors: string[];
  /** Its own. */
  accessType?: AccessType | undefined;
  /** What its folders say, which wins over its own. */
  folderAccessType?: AccessType | undefined;
  createdAt: string;
}

/** A pointer that holds a uid for grants given before the document exists: invisible to every reader. */
type Reservation = Pick<Document, "documentId" | "uid"> & { createdAt?: undefined };
export type Pointer = Document | Reservation;

export const isDocument = (pointer: Pointer | undefined): pointer is Document => pointer?.createdAt !== undefined;

/** What stands under each id, in their order; undefined where nothing does. */
export async function pointers(workspace: string, organizationId: string, ids: readonly string[]) {
  return Table.getMany<Pointer>(ids.map((id) => keys.document(workspace, organizationId, id)));
}

/** In the order of `ids`; undefined where there is no such document. */
export async function getMany(workspace: string, organizationId: string, ids: readonly string[]) {
  return (await pointers(workspace, organizationId, ids)).map((each) => (isDocument(each) ? each : undefined));
}

/** One page of those that exist, in the order of `ids`: all of them, unless they are large. */
export async function lookUp(workspace: string, organizationId: string, ids: readonly string[], from?: Position) {
  const rest = ids.slice(from?.after === undefined ? 0 : ids.indexOf(from.after) + 1);
  const found = await getMany(workspace, organizationId, rest);
  const count = fitting(found);
  const next = count < rest.length ? { shard: 0, after: rest[count - 1] as string } : undefined;
  return { items: found.slice(0, count).filter((each) => each !== undefined), ...(next && { next }) };
}

/** The uid under which each document's grants are kept, reserved where the document does not exist yet. */
export async function uidsOf(
  workspace: string,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let rest = ids;
  while (rest.length > 0) {
    for (const each of await pointers(workspace, organizationId, rest)) if (each) found.set(each.documentId, each.uid);
    const reservations = rest
      .filter((id) => !found.has(id))
      .map((documentId) => ({ documentId, uid: randomUUID() }))
      .map((each) => ({
        ...each,
        writes: [
          { put: { ...keys.document(workspace, organizationId, each.documentId), ...each }, if: "absent" as const },
        ],
      }));
    const outcome = await commitEach(reservations);
    for (const [index, each] of reservations.entries()) if (outcome[index]) found.set(each.documentId, each.uid);
    rest = rest.filter((id) => !found.has(id)); // Lost to another call, whose reservation the next round reads.
  }
  return found;
}

/** Up to `limit` organizations that have a document of this id. */
export async function organizationsOf(workspace: string, documentId: string, limit: number): Promise<string[]> {
  const { pk } = keys.documentLocator(workspace, documentId, "");
  return (await Table.query<{ organizationId: string }>({ pk, limit })).items.map((each) => each.organizationId);
}

/** The uids of those that have one, existing or reserved. */
export async function knownUids(workspace: string, organizationId: string, ids: readonly string[]) {
  const found = await pointers(workspace, organizationId, ids);
  return new Map(found.flatMap((each) => (each ? [[each.documentId, each.uid] as const] : [])));
}

/**
 * The writes that create a document; the first one's condition is lost where the id is taken, or newly reserved.
 * `reservedUid` is what the id is reserved with.
 */
export function creation(
  workspace: string,
  organizationId: string,
  document: Document,
  reservedUid: string | undefined,
): Write[] {
  const { documentId } = document;
  return [
    {
      put: { ...document, ...keys.document(workspace, organizationId, documentId) },
      if: reservedUid === undefined ? "absent" : { uid: reservedUid, createdAt: undefined },
    },
    { put: { ...keys.documentLocator(workspace, documentId, organizationId), organizationId } },
    { put: { ...keys.child(workspace, organizationId, document.ancestors[0] ?? root, "D", documentId), documentId } },
  ];
}

/** The writes that take a document's name away; what hung from it is the purge's. */
export function removal(workspace: string, organizationId: string, document: Document): Write[] {
  const { documentId, uid } = document;
  return [
    { delete: keys.document(workspace, organizationId, documentId), if: { uid } },
    { delete: keys.documentLocator(workspace, documentId, organizationId) },
    { delete: keys.child(workspace, organizationId, document.ancestors[0] ?? root, "D", documentId) },
  ];
}

/** The writes that give a document another id, with all that hangs from its uid; lost where either id has changed. */
export function renaming(
  workspace: string,
  organizationId: string,
  document: Document,
  documentId: string,
  reservedUid: string | undefined,
): Write[] {
  return [
    ...removal(workspace, organizationId, document),
    ...creation(workspace, organizationId, { ...document, documentId }, reservedUid),
    { put: { ...dataKeys.owner(workspace, document.uid), organizationId, documentId } },
  ];
}

export async function page(workspace: string, organizationId: string, limit: number, from?: Position) {
  return pageOfShards<Pointer>(
    (shard) => keys.documentShard(workspace, organizationId, shard),
    limit,
    from,
    isDocument,
  ) as Promise<{ items: Document[]; next?: Position }>;
}

/** One page of the documents directly in a folder. */
export async function childrenOf(
  workspace: string,
  organizationId: string,
  folderId: string,
  limit: number,
  from?: Position,
) {
  const pk = keys.children(workspace, organizationId, folderId);
  return pageOfChildren({ pk, beginsWith: "D#", limit }, from, (children) =>
    getMany(
      workspace,
      organizationId,
      children.map(({ documentId }) => documentId as string),
    ),
  );
}
