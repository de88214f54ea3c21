// The grants on a folder are stored with their users. So a deleted folder's grants are found through its list of users.
import { deleteAll } from "../dynamodb/batch-write.ts";
import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import { folderGranteeEntity } from "../store/access/folder-grantee.ts";
import { folderGrantEntity, folderGrantKeys, listOnFolder } from "../store/access/grant.ts";
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

/** Deletes the entries of the list that have no grant: an interrupted run can have left them. */
export async function deleteUnusedGrantees(
  folder: FolderDataRef,
  until: number,
): Promise<{ found: boolean; isDone: boolean }> {
  let found = false;
  const range = { ...folderGranteeEntity.range(folder), limit: pageUsers };
  for await (const page of Table.all<{ userId: string }>(range)) {
    const grants = await listOnFolder(
      folder,
      page.map(({ userId }) => userId),
    );
    const unused = page.filter((_, index) => !grants[index]).map(({ userId }) => ({ ...folder, userId }));
    // The condition fails when the grant has been given meanwhile.
    const deleted = await commitEach(
      unused.map((ref) => ({ writes: [folderGrantEntity.delete(ref, "absent"), folderGranteeEntity.delete(ref)] })),
    );
    found ||= deleted.includes(true);
    // The next run begins at the first entry again. Without a deletion, it would get no further than this one.
    if (Date.now() > until) return { found, isDone: !found };
  }
  return { found, isDone: true };
}
