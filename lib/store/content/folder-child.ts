// The documents and folders directly in a folder, or at the organization's root. An entry is written and deleted in the
// same transactions as the child's own item.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { type Bounds, fillPage, type Page } from "../../dynamodb/page.ts";
import { inRange } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { type FolderDataRef, type FolderUid, type OrganizationRef, organizationPartition } from "../refs.ts";
import { ancestorsOf, type StoredAncestors } from "./ancestors.ts";

/** A document or folder directly in a folder. */
export interface Child {
  kind: "document" | "folder";
  childId: string;
}

/** The parent of documents and folders at the organization's root. */
export const root = "" as FolderUid;

/** The internal id of the folder that directly has the document or folder in it. */
export const parentOf = (child: StoredAncestors): FolderUid => ancestorsOf(child)[0]?.folderUid ?? root;

const prefixOf = (kind: Child["kind"]) => (kind === "document" ? "D#" : "F#");

export const childEntity = entity<Child>()({
  name: "folder-child",
  attributes: ["kind", "childId"],
  pk: ({ folderUid, ...ref }: FolderDataRef) => `${organizationPartition(ref)}#C#${folderUid}`,
  sk: ({ kind, childId }: Child) => prefixOf(kind) + segment(childId),
});

export function childCreation(organization: OrganizationRef, folderUid: FolderUid, child: Child): Write {
  return childEntity.put({ ...organization, folderUid, ...child }, child);
}

export function childDeletion(organization: OrganizationRef, folderUid: FolderUid, child: Child): Write {
  return childEntity.delete({ ...organization, folderUid, ...child });
}

/** Up to `limit` children, the documents first. */
export async function firstChildren(folder: FolderDataRef, limit: number): Promise<Child[]> {
  return Table.first<Child>(childEntity.range(folder), limit);
}

/**
 * One page, in the order of the keys. `load` reads the children. It omits children that no longer exist, or have left
 * the folder since the list was read.
 */
export async function pageOfChildren<T extends StoredAncestors>(
  folder: FolderDataRef,
  kind: Child["kind"],
  bounds: Bounds,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
): Promise<Page<T>> {
  const list = {
    read: inRange<Child>({ pk: childEntity.partition(folder), beginsWith: prefixOf(kind) }),
    async show(children: Child[]) {
      const found = await load(children.map(({ childId }) => childId));
      return found.map((child) => (child && parentOf(child) === folder.folderUid ? child : undefined));
    },
  };
  return fillPage(list, bounds);
}
