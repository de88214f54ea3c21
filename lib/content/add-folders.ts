// Adds folders level by level, so that a folder never exists without its parent.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { noOrganization } from "../errors.ts";
import { commitEach } from "../jobs/commit.ts";
import type { NewFolder } from "../schema/folder.ts";
import { distinct } from "../schema/primitives.ts";
import { type Ancestor, storedAncestors } from "../store/content/ancestors.ts";
import * as Folder from "../store/content/folder.ts";
import * as Organization from "../store/content/organization.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { createOrganizations, goingFolders } from "./existing.ts";

/**
 * Adds folders with distinct ids. Returns why each of the others was refused, by id. Creates a missing organization
 * only if `createOrganization` is set and at least one folder can be added. Without the flag, it throws INVALID_ARGUMENT.
 */
export async function addFolders(
  organization: OrganizationRef,
  requests: readonly NewFolder[],
  createOrganization = false,
): Promise<Map<string, Refusal>> {
  const added = new Set<string>();
  return retryOnConflict("folders", async () => {
    const pending = requests.filter(({ folderId }) => !added.has(folderId));
    const ids = pending.flatMap(({ folderId, parentFolderId = folderId }) => [folderId, parentFolderId]);
    const [hasOrganization, stored] = await Promise.all([
      Organization.exists(organization),
      Folder.pointersById(organization, distinct(ids)),
    ]);
    if (!hasOrganization && !createOrganization) throw noOrganization();
    const parentIds = new Set(pending.map(({ parentFolderId }) => parentFolderId));
    const parents = [...stored.values()].filter(Folder.isFolder).filter(({ folderId }) => parentIds.has(folderId));
    const isGoing = await goingFolders(organization, parents.flatMap(Folder.pathOf), parents);
    const plan = planFolders(pending, stored, isGoing, new Date().toISOString());
    if (!hasOrganization && plan.levels.length > 0) await createOrganizations(organization, [organization]);
    for (const level of plan.levels) {
      const isAdded = await addLevel(organization, level);
      for (const [index, { folderId }] of level.entries()) if (isAdded[index]) added.add(folderId);
      // A concurrent call has added or deleted a folder of this level. The folders below it depend on it.
      if (isAdded.includes(false)) return conflict;
    }
    return plan.refused;
  });
}

function addLevel(organization: OrganizationRef, level: readonly Folder.Folder[]): Promise<boolean[]> {
  const units = level.map((folder) => ({ folder, writes: Folder.creation(organization, folder) }));
  return commitEach(units, (written) => ({
    events: written.map(({ folder: { folderId, folderName, parentFolderId } }) => ({
      type: "folder.add",
      ...organization,
      data: { folderId, folderName, parentFolderId },
    })),
  }));
}

/** Maximum folders on the path from the root, the folder itself included. */
export const levelsMax = 32;

export type Refusal = "already-exists" | "parent-not-found" | "cycle" | "too-deep" | "being-deleted";

interface Plan {
  /** The folders by level. The parent of each folder exists or is in an earlier level. */
  levels: Folder.Folder[][];
  refused: Map<string, Refusal>;
}

/**
 * The folders of one request may name each other as parents, in any order, since an import has no useful one. A plan
 * puts parents first, and refuses folders that cannot be added. `stored`: requested folders and their parents, by id.
 * `isGoing`: whether a folder of the path is being deleted.
 */
function planFolders(
  requests: readonly NewFolder[],
  stored: ReadonlyMap<string, Folder.Pointer | undefined>,
  isGoing: (path: readonly Ancestor[]) => boolean,
  createdAt: string,
): Plan {
  const requested = new Map(requests.map((each) => [each.folderId, each]));
  const placed = new Map<string, Folder.Folder | Refusal>();
  const walking = new Set<string>();
  for (const { folderId } of requests) place(folderId);
  const folders = [...placed.values()].filter((each) => typeof each !== "string");
  const byLevel = Map.groupBy(folders, newAncestors);
  const levels = [...byLevel].sort(([one], [other]) => one - other).map(([, level]) => level);
  const refused = [...placed].filter((each): each is [string, Refusal] => typeof each[1] === "string");
  return { levels, refused: new Map(refused) };

  /** The folder as it will be stored, or why not. Recursion is at most as deep as the number of requested folders. */
  function place(folderId: string): Folder.Folder | Refusal {
    const known = placed.get(folderId);
    if (known) return known;
    if (walking.has(folderId)) return "cycle";
    walking.add(folderId);
    const result = placeNew(requested.get(folderId) as NewFolder);
    walking.delete(folderId);
    placed.set(folderId, result);
    return result;
  }

  function placeNew(request: NewFolder): Folder.Folder | Refusal {
    const { folderId, parentFolderId } = request;
    const before = stored.get(folderId);
    if (Folder.isFolder(before)) return before.deletionJobId === undefined ? "already-exists" : "being-deleted";
    const folder = { ...request, ...(before && { folderUid: before.folderUid }), createdAt };
    if (parentFolderId === undefined) return { ...folder, ancestors: [] };
    const parent =
      existing(parentFolderId) ?? (requested.has(parentFolderId) ? place(parentFolderId) : "parent-not-found");
    if (parent === "cycle" || parent === "too-deep" || parent === "being-deleted") return parent;
    if (typeof parent === "string") return "parent-not-found";
    const ancestors = Folder.pathOf(parent);
    if (existing(parentFolderId) && isGoing(ancestors)) return "being-deleted";
    if (ancestors.length >= levelsMax) return "too-deep";
    return { ...folder, ...storedAncestors(ancestors) };
  }

  function newAncestors(folder: Folder.Folder): number {
    return folder.ancestors.filter((id) => requested.has(id) && !existing(id)).length;
  }

  function existing(folderId: string): Folder.Folder | undefined {
    const pointer = stored.get(folderId);
    return Folder.isFolder(pointer) ? pointer : undefined;
  }
}
