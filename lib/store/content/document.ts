// A document's id is only a name: its item points to an internal id, under which all data of the document is stored.
// A deletion removes this pointer, so no reader finds the data any more (DECISIONS.md#deletion). An id that is added
// again gets a new internal id.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Page } from "../../dynamodb/page.ts";
import { pageOfIds, pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Condition, Write } from "../../dynamodb/write.ts";
import type { NewDocument } from "../../schema/document.ts";
import { type Listened, noteDocument, renewed } from "../listening.ts";
import {
  type Descendants,
  type DocumentRef,
  type DocumentUid,
  documentDataPartition,
  type FolderDataRef,
  type FolderUid,
  type OrganizationRef,
  organizationPartition,
  type WorkspaceRef,
  workspacePartition,
} from "../refs.ts";
import type { StoredAncestors } from "./ancestors.ts";
import { childCreation, childDeletion, pageOfChildren, parentOf } from "./folder-child.ts";
import { getManyOf } from "./organization-life.ts";
import * as Owner from "./owner.ts";

/** `accessType` is the document's own access type. The first of its ancestors is its folder. */
export interface Document extends Omit<NewDocument, "metadata">, StoredAncestors, Listened {
  documentUid: DocumentUid;
  createdAt: string;
  /** The document has an item with metadata. */
  hasMetadata?: true;
  /** Counts the changes of the item. Absent: none. */
  rev?: number;
  /** Internal ids with grants that a migration must still move to this document; at most ten. */
  waitingUids?: DocumentUid[];
}

/** A pointer that reserves an internal id for grants before the document exists. No endpoint returns it. */
type Reservation = Pick<Document, "documentId" | "documentUid"> & {
  createdAt?: undefined;
  waitingUids?: undefined;
};
export type Pointer = Document | Reservation;

type StoredPointer = Pick<Document, "documentId" | "documentUid"> &
  Partial<Document> &
  Pick<OrganizationRef, "organizationId">;

export const documentEntity = entity<StoredPointer>()({
  name: "document",
  attributes: [
    "organizationId",
    "documentId",
    "documentUid",
    "documentName",
    "ancestors",
    "ancestorUids",
    "accessType",
    "createdAt",
    "hasMetadata",
    "rev",
    "waitingUids",
    "listenedUntil",
  ],
  pk: (ref: OrganizationRef, shard) => `${organizationPartition(ref)}#D#${shard}`,
  sk: ({ documentId }: { documentId: string }) => segment(documentId),
  shardBy: ({ documentId }) => documentId,
});

/** The organizations that have a document of this id, for calls that name no organization. */
export const locatorEntity = entity<Pick<OrganizationRef, "organizationId">>()({
  name: "document-locator",
  attributes: ["organizationId"],
  pk: ({ documentId, ...ref }: WorkspaceRef & { documentId: string }) =>
    `${workspacePartition(ref)}#DOC#${segment(documentId)}`,
  sk: ({ organizationId }: { organizationId: string }) => segment(organizationId),
});

/** The document's data and its locator. */
export function documentDescendants({ workspace, ...pointer }: StoredPointer & WorkspaceRef): Descendants {
  const { documentId, documentUid, organizationId, waitingUids = [] } = pointer;
  const uids = [documentUid, ...waitingUids];
  return {
    partitions: uids.map((uid) => documentDataPartition({ workspace, documentUid: uid })),
    items: [locatorEntity.key({ workspace, documentId, organizationId })],
  };
}

export const isDocument = (pointer: Pointer | undefined): pointer is Document => pointer?.createdAt !== undefined;

/** The pointer of each id, in their order; undefined where there is none. */
export async function pointers(organization: OrganizationRef, ids: readonly string[]) {
  const found = await getManyOf<Pointer>(
    organization,
    ids.map((documentId) => documentEntity.key({ ...organization, documentId })),
  );
  for (const each of found) if (isDocument(each)) noteDocument({ ...organization, documentId: each.documentId }, each);
  return found;
}

/** The documents in the order of `ids`; undefined where there is no such document. */
export async function getMany(organization: OrganizationRef, ids: readonly string[]) {
  return (await pointers(organization, ids)).map((each) => (isDocument(each) ? each : undefined));
}

export async function get({ documentId, ...organization }: DocumentRef): Promise<Document | undefined> {
  return (await getMany(organization, [documentId]))[0];
}

/**
 * One page of the documents with these ids, in the order of the ids. Ids without a document are omitted. `folderUid`:
 * only documents directly in this folder.
 */
export async function lookUp(
  organization: OrganizationRef,
  { ids, folderUid }: { ids: readonly string[]; folderUid?: FolderUid | undefined },
  limit: number,
  from?: string,
): Promise<Page<Document>> {
  const isIn = (document: Document) => folderUid === undefined || parentOf(document) === folderUid;
  const load = async (some: string[]) =>
    (await getMany(organization, some)).map((found) => (found && isIn(found) ? found : undefined));
  return pageOfIds(ids, { limit, from }, load);
}

/** The write that reserves an internal id. The condition fails when the document exists or its id is reserved. */
export function reservation(
  organization: OrganizationRef,
  { documentId, documentUid }: Pick<Document, "documentId" | "documentUid">,
): Write {
  const { organizationId } = organization;
  const reserved = { organizationId, documentId, documentUid };
  return documentEntity.put({ ...organization, documentId }, reserved, "absent");
}

/** Up to `limit` organizations that have a document of this id. */
export async function organizationsOf(ref: WorkspaceRef & { documentId: string }, limit: number): Promise<string[]> {
  const found = await Table.first<OrganizationRef>(locatorEntity.range(ref), limit);
  return found.map(({ organizationId }) => organizationId);
}

/**
 * The writes that create a document. The condition of the first write fails when the id is taken, or was reserved
 * meanwhile. `reservedUid` is the internal id that was reserved for the document before.
 */
export function creation(
  organization: OrganizationRef,
  document: Document,
  reservedUid: DocumentUid | undefined,
): Write[] {
  const { documentId } = document;
  const { organizationId } = organization;
  const ref = { ...organization, documentId };
  const free = reservedUid === undefined ? "absent" : { documentUid: reservedUid, createdAt: undefined };
  return [
    documentEntity.put(ref, { ...document, organizationId }, free),
    locatorEntity.put(ref, { organizationId }),
    childCreation(organization, parentOf(document), { kind: "document", childId: documentId }),
  ];
}

/** The condition that a document is as it was read. */
const unchanged = ({ documentUid, rev }: Document): Condition => ({ documentUid, rev });

/**
 * The write that marks the document for a page that listens now; undefined if the mark lasts. It counts as a change, so
 * that no change of an earlier read removes the mark.
 */
export function listening(organization: OrganizationRef, document: Document): Write | undefined {
  const listenedUntil = renewed(document);
  if (listenedUntil === undefined) return undefined;
  const { documentId } = document;
  const { rev } = revised(document);
  return documentEntity.update({ ...organization, documentId }, { set: { listenedUntil, rev } }, unchanged(document));
}

/** The document after one more change. */
const revised = <D extends Document>(document: D): D => ({ ...document, rev: (document.rev ?? 0) + 1 });

/** The writes that change a document, and its place in the lists of folders. A condition fails when it has changed. */
export function change(organization: OrganizationRef, document: Document, changed: Document): Write[] {
  const { organizationId } = organization;
  const { documentId } = document;
  const child = { kind: "document", childId: documentId } as const;
  const [from, to] = [parentOf(document), parentOf(changed)];
  const move = [childDeletion(organization, from, child), childCreation(organization, to, child)];
  const item = { ...revised(changed), organizationId };
  const put = documentEntity.put({ ...organization, documentId }, item, unchanged(document));
  return [put, ...(from === to ? [] : move)];
}

/**
 * The writes that remove a document's pointer. The purge deletes its data. The condition fails when the document has
 * changed.
 */
export function removal(organization: OrganizationRef, document: Document): Write[] {
  const { documentId } = document;
  const ref = { ...organization, documentId };
  return [
    documentEntity.delete(ref, unchanged(document)),
    locatorEntity.delete(ref),
    childDeletion(organization, parentOf(document), { kind: "document", childId: documentId }),
  ];
}

/**
 * The writes that give a document and its data another id. A condition fails when either pointer has changed. Grants
 * under the reserved internal id then wait for their move.
 */
export function renaming(
  organization: OrganizationRef,
  document: Document,
  documentId: string,
  reservedUid: DocumentUid | undefined,
): Write[] {
  const { workspace, organizationId } = organization;
  const { documentUid, waitingUids = [] } = document;
  const waiting = [...waitingUids, ...(reservedUid === undefined ? [] : [reservedUid])];
  const renamed = { ...revised(document), documentId, ...(waiting.length > 0 && { waitingUids: waiting }) };
  return [
    ...removal(organization, document),
    ...creation(organization, renamed, reservedUid),
    Owner.ownerEntity.put({ workspace, documentUid }, { organizationId, documentId }),
  ];
}

/** The write that ends the wait for grants under an internal id. The condition fails when the pointer has changed. */
export function withoutWaiting(organization: OrganizationRef, document: Document, uid: DocumentUid): Write {
  const { documentId, waitingUids = [] } = document;
  const rest = waitingUids.filter((each) => each !== uid);
  const { rev } = revised(document);
  const changes =
    rest.length > 0 ? { set: { waitingUids: rest, rev } } : { set: { rev }, remove: ["waitingUids"] as const };
  return documentEntity.update({ ...organization, documentId }, changes, unchanged(document));
}

export async function page(organization: OrganizationRef, limit: number, from?: string): Promise<Page<Document>> {
  const isAdded = ({ createdAt }: StoredPointer) => createdAt !== undefined;
  return pageOfItems(documentEntity, organization, { limit, from }, isAdded) as Promise<Page<Document>>;
}

/** One page of the documents directly in a folder. */
export async function pageIn(folder: FolderDataRef, limit: number, from?: string): Promise<Page<Document>> {
  return pageOfChildren(folder, "document", { limit, from }, (ids) => getMany(folder, ids));
}
