// Effective access types (DECISIONS.md#access-resolution). They are read from the folders at each decision, so a
// restriction of a folder holds immediately for everything below it.
import type { AccessType } from "../schema/primitives.ts";
import type { Ancestor } from "../store/content/ancestors.ts";
import * as Folder from "../store/content/folder.ts";
import type { FolderUid, OrganizationRef } from "../store/refs.ts";

/** The facts on which the access type of a folder or document depends. */
export interface Placed {
  /** Nearest first. For a folder, the first one is the folder itself. */
  folders: readonly Ancestor[];
  /** A document's own access type, which counts if no folder has one. */
  accessType?: AccessType | undefined;
}

/**
 * Reads the folders of all resources in one batch, except those that are `known`. Returns a function with the effective
 * access type of each of the resources.
 */
export async function loadAccessTypes(
  organization: OrganizationRef,
  resources: readonly Placed[],
  known: ReadonlyMap<FolderUid, Folder.Folder>,
  fallback: AccessType,
): Promise<(resource: Placed) => AccessType> {
  const needed = resources.flatMap(({ folders }) => folders).filter(({ folderUid }) => !known.has(folderUid));
  const folders = new Map([...known, ...(await Folder.ofAncestors(organization, needed))]);
  return (resource) => {
    for (const { folderUid } of resource.folders) {
      const folder = folders.get(folderUid);
      // The folder was deleted since the resource was read. It may have been restricted.
      if (!folder) return "restricted";
      if (folder.accessType) return folder.accessType;
    }
    return resource.accessType ?? fallback;
  };
}
