// The grants on a folder are stored with their users. So a deleted folder's grants are found through its list of users.
import { deleteAll } from "../dynamodb/batch-write.ts";
import * as Table from "../dynamodb/table.ts";
import { folderGranteeEntity } from "../store/folder-grantee.ts";
import { folderGrantKeys } from "../store/grant.ts";
import type { FolderDataRef } from "../store/refs.ts";

/** Users between two checks of the time: about a second. */
const pageUsers = 250;

/**
 * Deletes all grants on a deleted folder. A grant is deleted before its entry in the list, so that it is found again
 * after an interruption. `isDone` is false when it stopped at `until` (ms since the epoch).
 */
export async function deleteFolderGrants(
  folder: FolderDataRef,
  until: number,
): Promise<{ found: boolean; isDone: boolean }> {
  let found = false;
  const range = { ...folderGranteeEntity.range(folder), limit: pageUsers };
  for await (const page of Table.all<{ userId: string }>(range)) {
    found = true;
    const { grants, grantees } = folderGrantKeys(
      folder,
      page.map(({ userId }) => userId),
    );
    await deleteAll(grants);
    await deleteAll(grantees);
    if (Date.now() > until) return { found, isDone: false };
  }
  return { found, isDone: true };
}
