// Deletes what belonged to a life of a folder or user that has ended. Such a life is named by its id and a number or name
// that can come again after all was deleted. A purge can run that late: an operator can let a failed job run again. So it
// deletes only while a later life is stored.
import * as User from "../store/access/user.ts";
import { userLifePartitions } from "../store/access/user-data.ts";
import * as Folder from "../store/content/folder.ts";
import type { FolderDataRef, UserLifeRef } from "../store/refs.ts";
import { deleteFolderGrants, deleteUnusedGrantees } from "./folder-grants.ts";
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
