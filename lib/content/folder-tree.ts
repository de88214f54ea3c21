// The folders of one request may name each other as parents, in any order (DECISIONS.md#folder-trees). A plan
// puts parents first and refuses folders that cannot be added.
import type { NewFolder } from "../schema/folder.ts";
import { type Ancestor, storedAncestors } from "../store/content/ancestors.ts";
import { type Folder, isFolder, type Pointer, pathOf } from "../store/content/folder.ts";

/** Maximum folders on the path from the root, the folder itself included. */
export const levelsMax = 32;

export type Refusal = "already-exists" | "parent-not-found" | "cycle" | "too-deep" | "being-deleted";

interface Plan {
  /** The folders by level. The parent of each folder exists or is in an earlier level. */
  levels: Folder[][];
  refused: Map<string, Refusal>;
}

/** `stored`: requested folders and their parents, by id. `isGoing`: whether a folder of the path is being deleted. */
export function planFolders(
  requests: readonly NewFolder[],
  stored: ReadonlyMap<string, Pointer | undefined>,
  isGoing: (path: readonly Ancestor[]) => boolean,
  createdAt: string,
): Plan {
  const requested = new Map(requests.map((each) => [each.folderId, each]));
  const placed = new Map<string, Folder | Refusal>();
  const walking = new Set<string>();
  for (const { folderId } of requests) place(folderId);
  const folders = [...placed.values()].filter((each) => typeof each !== "string");
  const byLevel = Map.groupBy(folders, newAncestors);
  const levels = [...byLevel].sort(([one], [other]) => one - other).map(([, level]) => level);
  const refused = [...placed].filter((each): each is [string, Refusal] => typeof each[1] === "string");
  return { levels, refused: new Map(refused) };

  /** The folder as it will be stored, or why not. Recursion is at most as deep as the number of requested folders. */
  function place(folderId: string): Folder | Refusal {
    const known = placed.get(folderId);
    if (known) return known;
    if (walking.has(folderId)) return "cycle";
    walking.add(folderId);
    const result = placeNew(requested.get(folderId) as NewFolder);
    walking.delete(folderId);
    placed.set(folderId, result);
    return result;
  }

  function placeNew(request: NewFolder): Folder | Refusal {
    const { folderId, parentFolderId } = request;
    const before = stored.get(folderId);
    if (isFolder(before)) return before.deletionJobId === undefined ? "already-exists" : "being-deleted";
    const folder = { ...request, ...(before && { folderUid: before.folderUid }), createdAt };
    if (parentFolderId === undefined) return { ...folder, ancestors: [] };
    const parent =
      existing(parentFolderId) ?? (requested.has(parentFolderId) ? place(parentFolderId) : "parent-not-found");
    if (parent === "cycle" || parent === "too-deep" || parent === "being-deleted") return parent;
    if (typeof parent === "string") return "parent-not-found";
    const ancestors = pathOf(parent);
    if (existing(parentFolderId) && isGoing(ancestors)) return "being-deleted";
    if (ancestors.length >= levelsMax) return "too-deep";
    return { ...folder, ...storedAncestors(ancestors) };
  }

  function newAncestors(folder: Folder): number {
    return folder.ancestors.filter((id) => requested.has(id) && !existing(id)).length;
  }

  function existing(folderId: string): Folder | undefined {
    const pointer = stored.get(folderId);
    return isFolder(pointer) ? pointer : undefined;
  }
}
