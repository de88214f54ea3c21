// A document's id is only a name: its item points to an internal id, under which all data of the document is stored.
// A deletion removes this pointer, so no reader finds the data any more (DECISIONS.md#deletion). An id that is added
// again gets a new internal id.
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import { fitting, type Page, pageOf } from "../dynamodb/page.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { pageOfShards } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "../jobs/commit.ts";
import type { NewDocument } from "../schema/document.ts";
import type { AccessType } from "../schema/primitives.ts";
import type { Descendants } from "./descendants.ts";
import * as Folder from "./folder.ts";
import * as Owner from "./owner.ts";
import {
  type DocumentRef,
  type DocumentUid,
  documentDataPartition,
  newDocumentUid,
  type OrganizationRef,
  organizationPartition,
  type WorkspaceRef,
  workspacePartition,
} from "./refs.ts";

/** `accessType` is the document's own. */
export interface Document extends NewDocument {
  documentUid: DocumentUid;
  /** The document's folder and that folder's ancestors, nearest first; empty at the root. */
  ancestors: string[];
  /** The access type of its folders, which overrides its own. */
  folderAccessType?: AccessType | undefined;
  createdAt: string;
}

/** A pointer that reserves an internal id for grants before the document exists. No endpoint returns it. */
type Reservation = Pick<Document, "documentId" | "documentUid"> & { createdAt?: undefined };
export type Pointer = Document | Reservation;

type StoredPointer = Pick<Document, "documentId" | "documentUid"> &
  Partial<Document> &
  Pick<OrganizationRef, "organizationId">;

export const documentEntity = entity<StoredPointer>()({
  name: "document",
  attributes: {
    organizationId: true,
    documentId: true,
    documentUid: true,
    documentName: true,
    ancestors: true,
    accessType: true,
    folderAccessType: true,
    createdAt: true,
  },
  pk: (ref: OrganizationRef, shard) => `${organizationPartition(ref)}#D#${shard}`,
  sk: ({ documentId }: { documentId: string }) => segment(documentId),
  shardBy: ({ documentId }) => documentId,
});

/** The organizations that have a document of this id, for calls that name no organization. */
export const locatorEntity = entity<Pick<OrganizationRef, "organizationId">>()({
  name: "document-locator",
  attributes: { organizationId: true },
  pk: ({ documentId, ...ref }: WorkspaceRef & { documentId: string }) =>
    `${workspacePartition(ref)}#DOC#${segment(documentId)}`,
  sk: ({ organizationId }: { organizationId: string }) => segment(organizationId),
});

/** The document's data and its locator. */
export function documentDescendants({ workspace, ...pointer }: StoredPointer & WorkspaceRef): Descendants {
  const { documentId, documentUid, organizationId } = pointer;
  return {
    partitions: [documentDataPartition({ workspace, documentUid })],
    items: [locatorEntity.key({ workspace, documentId, organizationId })],
  };
}

export const isDocument = (pointer: Pointer | undefined): pointer is Document => pointer?.createdAt !== undefined;

/** The pointer of each id, in their order; undefined where there is none. */
export async function pointers(organization: OrganizationRef, ids: readonly string[]) {
  return Table.getMany<Pointer>(ids.map((documentId) => documentEntity.key({ ...organization, documentId })));
}

/** In the order of `ids`; undefined where there is no such document. */
export async function getMany(organization: OrganizationRef, ids: readonly string[]) {
  return (await pointers(organization, ids)).map((each) => (isDocument(each) ? each : undefined));
}

export async function get({ documentId, ...organization }: DocumentRef): Promise<Document | undefined> {
  return (await getMany(organization, [documentId]))[0];
}

/** The existing documents, in the order of `ids`. One page has all of them, unless they are large. */
export async function lookUp(
  organization: OrganizationRef,
  ids: readonly string[],
  from?: string,
): Promise<Page<Document>> {
  const rest = ids.slice(from === undefined ? 0 : ids.indexOf(from) + 1);
  const found = await getMany(organization, rest);
  const count = fitting(found);
  const items = found.slice(0, count).filter((each) => each !== undefined);
  return pageOf(items, count < rest.length ? rest[count - 1] : undefined);
}

/** The internal id of each document. Reserves one for a document that does not exist yet. */
export async function reservedUids(
  organization: OrganizationRef,
  ids: readonly string[],
): Promise<Map<string, DocumentUid>> {
  const found = new Map<string, DocumentUid>();
  const { organizationId } = organization;
  return retryOnConflict("documents", async () => {
    const rest = ids.filter((id) => !found.has(id));
    for (const each of await pointers(organization, rest)) if (each) found.set(each.documentId, each.documentUid);
    const reservations = rest
      .filter((id) => !found.has(id))
      .map((documentId) => ({ organizationId, documentId, documentUid: newDocumentUid() }))
      .map((each) => ({ ...each, writes: [documentEntity.put({ ...organization, ...each }, each, "absent")] }));
    const reserved = await commitEach(reservations);
    for (const [index, each] of reservations.entries())
      if (reserved[index]) found.set(each.documentId, each.documentUid);
    // Another call has reserved the other ids or added their documents. The next attempt reads these.
    return ids.every((id) => found.has(id)) ? found : conflict;
  });
}

/** Up to `limit` organizations that have a document of this id. */
export async function organizationsOf(ref: WorkspaceRef & { documentId: string }, limit: number): Promise<string[]> {
  const range = { ...locatorEntity.range(ref), limit };
  return (await Table.query<OrganizationRef>(range)).items.map(({ organizationId }) => organizationId);
}

/** The internal ids of existing and of reserved documents, by document id. */
export async function knownUids(organization: OrganizationRef, ids: readonly string[]) {
  const found = await pointers(organization, ids);
  return new Map(found.flatMap((each) => (each ? [[each.documentId, each.documentUid] as const] : [])));
}

/**
 * The writes that create a document. The first one's condition fails when the id is taken, or was reserved meanwhile.
 * `reservedUid` is the internal id that was reserved for the document before.
 */
export function creation(
  organization: OrganizationRef,
  document: Document,
  reservedUid: DocumentUid | undefined,
): Write[] {
  const { documentId, ancestors } = document;
  const { organizationId } = organization;
  const ref = { ...organization, documentId };
  const free = reservedUid === undefined ? "absent" : { documentUid: reservedUid, createdAt: undefined };
  return [
    documentEntity.put(ref, { ...document, organizationId }, free),
    locatorEntity.put(ref, { organizationId }),
    Folder.childCreation(organization, ancestors[0] ?? Folder.root, { kind: "document", childId: documentId }),
  ];
}

/** The writes that remove a document's pointer. The purge deletes its data. */
export function removal(organization: OrganizationRef, { documentId, documentUid, ancestors }: Document): Write[] {
  const ref = { ...organization, documentId };
  return [
    documentEntity.delete(ref, { documentUid }),
    locatorEntity.delete(ref),
    Folder.childDeletion(organization, ancestors[0] ?? Folder.root, { kind: "document", childId: documentId }),
  ];
}

/** The writes that give a document and its data another id. A condition fails when either pointer has changed. */
export function renaming(
  organization: OrganizationRef,
  document: Document,
  documentId: string,
  reservedUid: DocumentUid | undefined,
): Write[] {
  const { workspace, organizationId } = organization;
  const { documentUid } = document;
  return [
    ...removal(organization, document),
    ...creation(organization, { ...document, documentId }, reservedUid),
    Owner.ownerEntity.put({ workspace, documentUid }, { organizationId, documentId }),
  ];
}

export async function page(organization: OrganizationRef, limit: number, from?: string): Promise<Page<Document>> {
  const partition = (shard: number) => documentEntity.partition(organization, shard);
  return pageOfShards<Pointer>(partition, limit, from, isDocument) as Promise<Page<Document>>;
}

/** One page of the documents directly in a folder. */
export async function pageIn(organization: OrganizationRef, parentId: string, limit: number, from?: string) {
  return Folder.pageOfChildren({ ...organization, parentId, kind: "document" }, limit, from, (ids) =>
    getMany(organization, ids),
  );
}
