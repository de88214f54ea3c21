// Updates folders. Each write is conditional on the folder that was read, and is decided again when another call has
// changed it.
import { isDeepStrictEqual } from "node:util";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import type { FolderUpdate } from "../schema/folder.ts";
import * as Folder from "../store/content/folder.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { requireOrganization } from "./require-organization.ts";
import { withFields } from "./with-fields.ts";

export type Refusal = "nothing-to-update" | "not-found";

/** Updates folders, each named once. Returns why some were refused, by id. An update that changes nothing writes nothing. */
export async function updateFolders(
  organization: OrganizationRef,
  updates: readonly FolderUpdate[],
): Promise<Map<string, Refusal>> {
  const refused = new Map<string, Refusal>();
  let rest = updates;
  return retryOnConflict("folders", async () => {
    const [folders] = await Promise.all([
      Folder.getMany(
        organization,
        rest.map(({ folderId }) => folderId),
      ),
      requireOrganization(organization),
    ]);
    const units = rest.flatMap((update, index) => {
      const { folderId, folderName, accessType } = update;
      const folder = folders[index];
      const isEmpty = folderName === undefined && accessType === undefined;
      if (isEmpty || !folder) refused.set(folderId, isEmpty ? "nothing-to-update" : "not-found");
      if (isEmpty || !folder) return [];
      const changed = withFields(folder, { folderName, accessType });
      if (isDeepStrictEqual(changed, folder)) return [];
      return [{ update, changed, writes: [Folder.change(organization, folder, changed)] }];
    });
    const written = await commitEach(units, (group) => ({
      events: group.map(({ changed: { folderId, folderName, accessType } }) => ({
        type: "folder.update",
        ...organization,
        data: { folderId, folderName, accessType },
      })),
    }));
    rest = units.filter((_, index) => !written[index]).map(({ update }) => update);
    return rest.length === 0 ? refused : conflict;
  });
}
