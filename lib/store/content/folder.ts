// A folder's id is only a name: its children and grants are stored under an internal id (DECISIONS.md#internal-ids).
// Folders never move. Each folder stores the ids of its ancestors. Facts that it inherits are read from the ancestors
// when they are needed.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Page } from "../../dynamodb/page.ts";
import { pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Condition, Write } from "../../dynamodb/write.ts";
import type { NewFolder } from "../../schema/folder.ts";
import {
  type Descendants,
  type FolderDataRef,
  type FolderUid,
  firstFolderUid,
  nextFolderUid,
  type OrganizationRef,
  organizationPartition,
} from "../refs.ts";
import { type Ancestor, ancestorsOf, type StoredAncestors } from "./ancestors.ts";
import { childCreation, childDeletion, childEntity, pageOfChildren, parentOf } from "./folder-child.ts";
import { getManyOf } from "./organization-life.ts";

/** `accessType` is the folder's own. */
export interface Folder extends NewFolder, StoredAncestors {
  /** Absent: the folder is the first of its id. */
  folderUid?: FolderUid;
  /** Counts the changes of the item. */
  rev?: number;
  createdAt: string;
  /** The job that deletes the folder. While it is set, nothing is added to the folder or below it. */
  deletionJobId?: string;
}

/** The rest of a deleted folder: the internal id for the next folder of the same id. No endpoint returns it. */
type Reservation = { folderId: string; folderUid: FolderUid; createdAt?: undefined };
export type Pointer = Folder | Reservation;

export interface FolderRef extends OrganizationRef {
  folderId: string;
}

type StoredPointer = Pick<Folder, "folderId"> & Partial<Folder> & Pick<OrganizationRef, "organizationId">;

export const folderEntity = entity<StoredPointer>()({
  name: "folder",
  attributes: [
    "organizationId",
    "folderId",
    "folderUid",
    "folderName",
    "parentFolderId",
    "accessType",
    "ancestors",
    "ancestorUids",
    "createdAt",
    "rev",
    "deletionJobId",
  ],
  pk: (ref: OrganizationRef, shard) => `${organizationPartition(ref)}#F#${shard}`,
  sk: ({ folderId }: { folderId: string }) => segment(folderId),
  shardBy: ({ folderId }) => folderId,
});

/** The list of the folder's children. */
export const folderDescendants = ({
  workspace,
  organizationId,
  ...folder
}: StoredPointer & OrganizationRef): Descendants => ({
  partitions: [childEntity.partition({ workspace, organizationId, folderUid: uidOf(folder.folderId, folder) })],
});

export const isFolder = (pointer: Pointer | undefined): pointer is Folder => pointer?.createdAt !== undefined;

/** The internal id of the folder with this id. Without a folder: the internal id for the next folder of this id. */
export const uidOf = (folderId: string, pointer: Pick<Pointer, "folderUid"> | undefined): FolderUid =>
  pointer?.folderUid ?? firstFolderUid(folderId);

/** The ref under which the content and the grants of a folder are stored. */
export const dataOf = ({ workspace, organizationId }: OrganizationRef, folder: Folder): FolderDataRef => ({
  workspace,
  organizationId,
  folderUid: uidOf(folder.folderId, folder),
});

/** The folder and its ancestors, nearest first: the ancestors of its children. */
export const pathOf = (folder: Folder): Ancestor[] => [
  { folderId: folder.folderId, folderUid: uidOf(folder.folderId, folder) },
  ...ancestorsOf(folder),
];

/** The stored items in the order of `ids`; undefined where nothing is stored. */
export async function pointers(organization: OrganizationRef, ids: readonly string[]) {
  return getManyOf<Pointer>(
    organization,
    ids.map((folderId) => folderEntity.key({ ...organization, folderId })),
  );
}

/** The stored items of these ids, by id; undefined: nothing is stored. */
export async function pointersById(organization: OrganizationRef, ids: readonly string[]) {
  const found = await pointers(organization, ids);
  return new Map(ids.map((id, index) => [id, found[index]]));
}

/** The folders in the order of `ids`; undefined where there is no such folder. */
export async function getMany(organization: OrganizationRef, ids: readonly string[]) {
  return (await pointers(organization, ids)).map((each) => (isFolder(each) ? each : undefined));
}

export async function get({ folderId, ...organization }: FolderRef): Promise<Folder | undefined> {
  return (await getMany(organization, [folderId]))[0];
}

/**
 * Whether a later folder of the same id, or its internal id, is stored. If neither is, the organization was deleted
 * with all its data: then another folder with this internal id can be added.
 */
export async function isFormer({ folderUid, ...ref }: FolderRef & FolderDataRef): Promise<boolean> {
  const pointer = await Table.get<Pointer>(folderEntity.key(ref));
  return pointer !== undefined && uidOf(ref.folderId, pointer) !== folderUid;
}

/** The folders with these ids and internal ids, by internal id. Omits deleted folders. */
export async function ofAncestors(
  organization: OrganizationRef,
  ancestors: Iterable<Ancestor>,
): Promise<Map<FolderUid, Folder>> {
  const distinct = [...new Map([...ancestors].map((each) => [each.folderUid, each])).values()];
  const found = await getMany(
    organization,
    distinct.map(({ folderId }) => folderId),
  );
  return new Map(
    distinct.flatMap(({ folderId, folderUid }, index) => {
      const folder = found[index];
      return folder && uidOf(folderId, folder) === folderUid ? [[folderUid, folder] as const] : [];
    }),
  );
}

/**
 * The writes that create a folder, as the next folder of its id. The condition of the first write fails when the id is
 * taken, or a folder of the id was deleted since `folderUid` was read.
 */
export function creation(organization: OrganizationRef, folder: Folder): Write[] {
  const { folderId, folderUid } = folder;
  const { organizationId } = organization;
  const free = folderUid === undefined ? "absent" : { folderUid, createdAt: undefined };
  return [
    folderEntity.put({ ...organization, folderId }, { ...folder, organizationId }, free),
    childCreation(organization, parentOf(folder), { kind: "folder", childId: folderId }),
  ];
}

/** The condition that a folder is as it was read. */
const unchanged = ({ folderUid, createdAt, rev }: Folder): Condition => ({ folderUid, createdAt, rev });

/** The write that changes a folder. The condition fails when it has changed since it was read. */
export function change(organization: OrganizationRef, folder: Folder, changed: Folder): Write {
  const { organizationId } = organization;
  const item = { ...changed, organizationId, rev: (folder.rev ?? 0) + 1 };
  return folderEntity.put({ ...organization, folderId: folder.folderId }, item, unchanged(folder));
}

/**
 * The writes that delete a folder without children. Only the internal id for the next folder of the same id is left.
 * The condition fails when the folder has changed.
 */
export function removal(organization: OrganizationRef, folder: Folder): Write[] {
  const { folderId } = folder;
  const next = { organizationId: organization.organizationId, folderId, folderUid: nextFolderUid() };
  return [
    folderEntity.put({ ...organization, folderId }, next, unchanged(folder)),
    childDeletion(organization, parentOf(folder), { kind: "folder", childId: folderId }),
  ];
}

export async function page(organization: OrganizationRef, limit: number, from?: string): Promise<Page<Folder>> {
  const isAdded = ({ createdAt }: StoredPointer) => createdAt !== undefined;
  return pageOfItems(folderEntity, organization, { limit, from }, isAdded) as Promise<Page<Folder>>;
}

/** One page of the folders directly in a folder. */
export async function pageIn(folder: FolderDataRef, limit: number, from?: string): Promise<Page<Folder>> {
  return pageOfChildren(folder, "folder", { limit, from }, (ids) => getMany(folder, ids));
}
