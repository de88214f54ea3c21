// Deletes the data of an ended life of a folder or user. A life has an id and a number (or name). After everything was
// deleted with the organization, the same number can be used again. An operator can retry an old job after that time.
// So the purge deletes only while a later life is stored.
import { deleteAll } from "../dynamodb/batch-write.ts";
import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import { folderGrantEntity, folderGranteeEntity, folderGrantKeys, listOnFolder } from "../store/access/grant.ts";
import * as User from "../store/access/user.ts";
import { userLifePartitions } from "../store/access/user-data.ts";
import * as Folder from "../store/content/folder.ts";
import type { FolderDataRef, UserLifeRef } from "../store/refs.ts";
import { emptyPartition } from "./purge.ts";

type Emptied = { found: boolean; isDone: boolean };

/** `until`: ms since the epoch. */
export async function purgeFolder({ folderId, ...folder }: FolderDataRef & Folder.FolderRef, until: number) {
  const isFormer = await Folder.isFormer({ ...folder, folderId });
  return isFormer ? deleteFolderGrants(folder, until) : deleteUnusedGrantees(folder, until);
}

/** `until`: ms since the epoch. */
export async function purgeUser(life: UserLifeRef, until: number): Promise<Emptied> {
  if (!(await User.isFormer(life))) return { found: false, isDone: true };
  let found = false;
  for (const pk of userLifePartitions(life)) {
    const emptied = await emptyPartition(life, pk, until);
    found ||= emptied.found;
    if (!emptied.isDone) return { found, isDone: false };
  }
  return { found, isDone: true };
}

/** Users between two checks of the time: about a second. */
const pageUsers = 250;

/**
 * Deletes all grants on a deleted folder. The grants are stored with their users, and found through the folder's list
 * of users. A grant is deleted before its entry in the list, so that the entry still leads to it after an interruption.
 * `isDone` is false when it stopped at `until` (ms since the epoch).
 */
async function deleteFolderGrants(folder: FolderDataRef, until: number): Promise<Emptied> {
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
async function deleteUnusedGrantees(folder: FolderDataRef, until: number): Promise<Emptied> {
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
    // The next run begins at the first entry again. If this run deleted nothing, the next run would get no further.
    if (Date.now() > until) return { found, isDone: !found };
  }
  return { found, isDone: true };
}
