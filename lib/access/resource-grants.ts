// The grants of users on one existing folder or document, and the writes that replace them.
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import * as Grant from "../store/access/grant.ts";
import * as GrantUids from "../store/access/grant-uids.ts";
import * as Folder from "../store/content/folder.ts";
import type { FolderUid, OrganizationRef } from "../store/refs.ts";
import type { GrantedResource } from "./requested-grants.ts";

/** An existing folder or document. */
export interface Target {
  organization: OrganizationRef;
  folderUid?: FolderUid;
  uids?: GrantUids.GrantUids;
}

export interface UserGrant {
  /** The user's stored grants, first the grant under the own internal id. Each waiting id can have another grant. */
  found: Grant.StoredGrant[];
  /** The grant under the own internal id. */
  own: Grant.StoredGrant | undefined;
  /** The writes that leave only this grant. A condition fails when one of the grants has changed. */
  replaced(grant: Grant.StoredGrant): Write[];
}

/** Undefined: the folder or document does not exist. */
export async function existingTarget(
  organization: OrganizationRef,
  { type, id }: GrantedResource,
): Promise<Target | undefined> {
  if (type === "folder") {
    const folder = await Folder.get({ ...organization, folderId: id });
    return folder && { organization, folderUid: Folder.uidOf(id, folder) };
  }
  const uids = (await GrantUids.known(organization, [id])).get(id);
  return uids && !uids.isReserved ? { organization, uids } : undefined;
}

/** The grants by user. */
export async function grantsOn(target: Target, userIds: readonly string[]): Promise<Map<string, UserGrant>> {
  const { organization, folderUid, uids } = target;
  if (folderUid !== undefined) {
    const folder = { ...organization, folderUid };
    const found = await Grant.listOnFolder(folder, userIds);
    return byUser(userIds, (index) => {
      const own = found[index];
      const replaced: UserGrant["replaced"] = (grant) => Grant.onFolder(folder, grant, Grant.unchanged(own));
      return { found: own ? [own] : [], own, replaced };
    });
  }
  const { workspace } = organization;
  const { documentUid, waitingUids } = uids as GrantUids.GrantUids;
  // Waiting grants are read first: a grant that moves between the two reads is in the second one.
  const waiting = await waitingOn(workspace, waitingUids, userIds);
  const found = await Grant.listOnDocument({ workspace, documentUid }, userIds);
  return byUser(userIds, (index) => {
    const own = found[index];
    const others = waiting.flatMap(({ uid, grants }) => (grants[index] ? [{ uid, grant: grants[index] }] : []));
    const replaced: UserGrant["replaced"] = (grant) => [
      Grant.onDocument({ workspace, documentUid }, grant, Grant.unchanged(own)),
      ...others.map(({ uid, grant: { userId }, grant: other }) =>
        Grant.documentGrantEntity.delete({ workspace, documentUid: uid, userId }, Grant.unchanged(other)),
      ),
    ];
    return { found: [...(own ? [own] : []), ...others.map(({ grant }) => grant)], own, replaced };
  });
}

async function waitingOn(workspace: string, uids: GrantUids.GrantUids["waitingUids"], userIds: readonly string[]) {
  const keys = uids.flatMap((documentUid) =>
    userIds.map((userId) => Grant.documentGrantEntity.key({ workspace, documentUid, userId })),
  );
  const stored = await Table.getMany<Grant.StoredGrant>(keys);
  return uids.map((uid, nth) => ({ uid, grants: stored.slice(nth * userIds.length, (nth + 1) * userIds.length) }));
}

const byUser = (userIds: readonly string[], of: (index: number) => UserGrant) =>
  new Map(userIds.map((userId, index) => [userId, of(index)]));
