// Adds folders level by level, so that a folder never exists without its parent.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { notFound } from "../errors.ts";
import { commitEach } from "../jobs/commit.ts";
import type { NewFolder } from "../schema/folder.ts";
import { distinct } from "../schema/primitives.ts";
import * as Folder from "../store/content/folder.ts";
import * as Organization from "../store/content/organization.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { createOrganizations, goingFolders } from "./existing.ts";
import { planFolders, type Refusal } from "./folder-tree.ts";

/**
 * Adds folders with distinct ids. Returns why each of the others was refused, by id. Creates a missing organization
 * only if `createOrganization` is set and at least one folder can be added. Without the flag, it throws NOT_FOUND.
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
    if (!hasOrganization && !createOrganization) throw notFound("organization");
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
