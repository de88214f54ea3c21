// The folders of one request may name each other as parents, in any order (DECISIONS.md#folder-trees). This puts
// parents first and says what is wrong with those that cannot be placed.
import type { NewFolder } from "../schema/folder.ts";
import type { Folder } from "../store/folder.ts";

/** Folders on the way from the root, the last included. */
export const levelsMax = 32;

export type Refusal = "already-exists" | "parent-not-found" | "cycle" | "too-deep";

export interface Plan {
  /** By level: each folder's parent exists or is in an earlier level. */
  levels: Folder[][];
  refused: Map<string, Refusal>;
}

/** `existing` has every folder named that is stored already: the requested ones and their parents. */
export function planFolders(requests: readonly NewFolder[], existing: Map<string, Folder>, createdAt: string): Plan {
  const asked = new Map(requests.map((each) => [each.folderId, each]));
  const placed = new Map<string, Folder | Refusal>();
  const walking = new Set<string>();
  for (const { folderId } of requests) place(folderId);
  const folders = [...placed.values()].filter((each) => typeof each !== "string");
  const byLevel = Map.groupBy(folders, newAncestors);
  const levels = [...byLevel].sort(([one], [other]) => one - other).map(([, level]) => level);
  const refused = [...placed].filter((each): each is [string, Refusal] => typeof each[1] === "string");
  return { levels, refused: new Map(refused) };

  /** The folder as it will be. Recursion is bounded: a walk longer than the levels allowed ends as too deep. */
  function place(folderId: string): Folder | Refusal {
    const known = placed.get(folderId);
    if (known) return known;
    if (walking.has(folderId)) return "cycle";
    walking.add(folderId);
    const result = placeNew(asked.get(folderId) as NewFolder);
    walking.delete(folderId);
    placed.set(folderId, result);
    return result;
  }

  function placeNew(request: NewFolder): Folder | Refusal {
    const { folderId, parentFolderId, accessType } = request;
    if (existing.has(folderId)) return "already-exists";
    if (parentFolderId === undefined) return { ...request, ancestors: [], effectiveAccessType: accessType, createdAt };
    const parent =
      existing.get(parentFolderId) ?? (asked.has(parentFolderId) ? place(parentFolderId) : "parent-not-found");
    if (parent === "cycle" || parent === "too-deep") return parent;
    if (typeof parent === "string") return "parent-not-found";
    const ancestors = [parent.folderId, ...parent.ancestors];
    if (ancestors.length >= levelsMax) return "too-deep";
    return { ...request, ancestors, effectiveAccessType: accessType ?? parent.effectiveAccessType, createdAt };
  }

  function newAncestors(folder: Folder): number {
    return folder.ancestors.filter((id) => asked.has(id) && !existing.has(id)).length;
  }
}
