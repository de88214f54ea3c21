// Nothing is added to a folder that is being deleted, or to a folder below it (DECISIONS.md#deletion-of-folders).
import type { Ancestor } from "../store/content/ancestors.ts";
import * as Folder from "../store/content/folder.ts";
import type { OrganizationRef } from "../store/refs.ts";

/**
 * Reads these folders, except those that are `known`. Returns whether one of the folders of a path is being deleted, or
 * was deleted since it was read.
 */
export async function goingFolders(
  organization: OrganizationRef,
  ancestors: readonly Ancestor[],
  known: readonly Folder.Folder[] = [],
): Promise<(path: readonly Ancestor[]) => boolean> {
  const read = new Map(known.map((folder) => [Folder.uidOf(folder.folderId, folder), folder]));
  const above = await Folder.ofAncestors(
    organization,
    ancestors.filter(({ folderUid }) => !read.has(folderUid)),
  );
  const folders = new Map([...above, ...read]);
  return (path) =>
    path.some(({ folderUid }) => folders.get(folderUid)?.deletionJobId !== undefined || !folders.has(folderUid));
}

/** Where the children of a folder are: the folders above them, or why there can be none. */
export type Placement = Ancestor[] | "folder-not-found" | "being-deleted";

/** By folder id. It takes two rounds of reads for any number of folders. */
export async function placements(
  organization: OrganizationRef,
  folderIds: readonly string[],
): Promise<Map<string, Placement>> {
  const found = await Folder.getMany(organization, folderIds);
  const existing = found.filter((folder) => folder !== undefined);
  const paths = existing.map((folder) => Folder.pathOf(folder));
  const isGoing = await goingFolders(organization, paths.flat(), existing);
  const placed = new Map<string, Placement>(folderIds.map((id) => [id, "folder-not-found"]));
  for (const [index, { folderId }] of existing.entries()) {
    const path = paths[index] as Ancestor[];
    placed.set(folderId, isGoing(path) ? "being-deleted" : path);
  }
  return placed;
}
