// Folders never move and are never deleted, so each stores what it inherits: its ancestors and their access type.
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import { fitting, type Page, pageOf } from "../dynamodb/page.ts";
import { pageOfShards } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import type { NewFolder } from "../schema/folder.ts";
import type { AccessType } from "../schema/primitives.ts";
import type { Descendants } from "./descendants.ts";
import { type OrganizationRef, organizationPartition } from "./refs.ts";

/** `accessType` is the folder's own. */
export interface Folder extends NewFolder {
  /** The folder's own access type, or else the nearest ancestor's. */
  effectiveAccessType?: AccessType | undefined;
  /** Nearest first, without the folder itself. */
  ancestors: string[];
  createdAt: string;
}

export interface FolderRef extends OrganizationRef {
  folderId: string;
}

/** The parent id of documents and folders at the organization's root. */
export const root = "";

export const folderEntity = entity<Folder & Pick<OrganizationRef, "organizationId">>()({
  name: "folder",
  attributes: {
    organizationId: true,
    folderId: true,
    folderName: true,
    parentFolderId: true,
    accessType: true,
    effectiveAccessType: true,
    ancestors: true,
    createdAt: true,
  },
  pk: (ref: OrganizationRef, shard) => `${organizationPartition(ref)}#F#${shard}`,
  sk: ({ folderId }: { folderId: string }) => segment(folderId),
  shardBy: ({ folderId }) => folderId,
});

/** The list of the folder's children. */
export const folderDescendants = ({ workspace, organizationId, folderId }: FolderRef): Descendants => ({
  partitions: [childEntity.partition({ workspace, organizationId, parentId: folderId })],
});

/** A document or folder directly in a folder. */
interface Child {
  kind: "document" | "folder";
  childId: string;
}

const prefixOf = (kind: Child["kind"]) => (kind === "document" ? "D#" : "F#");

export const childEntity = entity<Child>()({
  name: "folder-child",
  attributes: { kind: true, childId: true },
  pk: ({ parentId, ...ref }: OrganizationRef & { parentId: string }) =>
    `${organizationPartition(ref)}#C#${segment(parentId)}`,
  sk: ({ kind, childId }: Child) => prefixOf(kind) + segment(childId),
});

export async function get(ref: FolderRef): Promise<Folder | undefined> {
  return Table.get<Folder>(folderEntity.key(ref));
}

/** In the order of `ids`; undefined where there is no such folder. */
export async function getMany(organization: OrganizationRef, ids: readonly string[]) {
  return Table.getMany<Folder>(ids.map((folderId) => folderEntity.key({ ...organization, folderId })));
}

/** The writes that create a folder. The first one's condition fails when the id is taken. */
export function creation(organization: OrganizationRef, folder: Folder): Write[] {
  const { folderId, parentFolderId = root } = folder;
  const { organizationId } = organization;
  return [
    folderEntity.put({ ...organization, folderId }, { ...folder, organizationId }, "absent"),
    childCreation(organization, parentFolderId, { kind: "folder", childId: folderId }),
  ];
}

export function childCreation(organization: OrganizationRef, parentId: string, child: Child): Write {
  return childEntity.put({ ...organization, parentId, ...child }, child);
}

export function childDeletion(organization: OrganizationRef, parentId: string, child: Child): Write {
  return childEntity.delete({ ...organization, parentId, ...child });
}

export async function page(organization: OrganizationRef, limit: number, from?: string): Promise<Page<Folder>> {
  return pageOfShards<Folder>((shard) => folderEntity.partition(organization, shard), limit, from);
}

/** One page of the folders directly in a folder. */
export async function pageIn(organization: OrganizationRef, parentId: string, limit: number, from?: string) {
  return pageOfChildren({ ...organization, parentId, kind: "folder" }, limit, from, (ids) =>
    getMany(organization, ids),
  );
}

/** One page, in the order of the keys. `load` reads the children; those that no longer exist are omitted. */
export async function pageOfChildren<T>(
  { kind, ...ref }: OrganizationRef & { parentId: string; kind: Child["kind"] },
  limit: number,
  from: string | undefined,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
): Promise<Page<T>> {
  const range = { pk: childEntity.partition(ref), beginsWith: prefixOf(kind) };
  const { items, next } = await Table.page<Child>(range, limit, from);
  const found = await load(items.map(({ childId }) => childId));
  const count = fitting(found);
  const shown = found.slice(0, count).filter((item) => item !== undefined);
  return pageOf(shown, count < items.length ? items[count - 1]?.sk : next);
}
