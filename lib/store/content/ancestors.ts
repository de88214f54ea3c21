// The folders above a document or folder. An item stores their ids, and their internal ids where these cannot be
// derived. Other facts of the folders, for example the access type, are always read from the folders themselves.
import { type FolderUid, firstFolderUid } from "../refs.ts";

export interface Ancestor {
  folderId: string;
  folderUid: FolderUid;
}

/** The attributes of an item with ancestors. */
export interface StoredAncestors {
  /** The ids, nearest first, without the item itself. */
  ancestors: string[];
  /** The internal ids, in the same order. Absent: each folder is the first of its id. */
  ancestorUids?: FolderUid[];
}

/** Nearest first. */
export function ancestorsOf({ ancestors, ancestorUids }: StoredAncestors): Ancestor[] {
  return ancestors.map((folderId, index) => ({
    folderId,
    folderUid: ancestorUids?.[index] ?? firstFolderUid(folderId),
  }));
}

export function storedAncestors(all: readonly Ancestor[]): StoredAncestors {
  const ancestors = all.map(({ folderId }) => folderId);
  const areFirst = all.every(({ folderId, folderUid }) => folderUid === firstFolderUid(folderId));
  return { ancestors, ...(!areFirst && { ancestorUids: all.map(({ folderUid }) => folderUid) }) };
}
