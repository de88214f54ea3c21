// The users who have a grant on one folder or document, in pages.
import { fillPage, type Page, type Position, type Source } from "../dynamodb/page.ts";
import { itemsOf, pageOfIds } from "../dynamodb/sources.ts";
import { notFound } from "../errors.ts";
import type { ShownUser } from "../schema/user.ts";
import * as Grant from "../store/access/grant.ts";
import { folderGranteeEntity } from "../store/access/grant.ts";
import * as User from "../store/access/user.ts";
import type { DocumentDataRef, FolderDataRef, FolderUid, OrganizationRef } from "../store/refs.ts";
import { userShower, type Wanted } from "./list-users.ts";
import type { GrantedResource } from "./requested-grants.ts";
import { existingTarget } from "./resource-grants.ts";

/**
 * The users with an active grant on an existing folder or document, with the role of the grant. Users without a profile
 * are included. Throws NOT_FOUND for a missing folder or document.
 */
export async function usersWithGrant(
  organization: OrganizationRef,
  resource: GrantedResource,
  { userIds, ...bounds }: Wanted,
): Promise<Page<ShownUser>> {
  const target = await existingTarget(organization, resource);
  if (!target) throw notFound(resource.type);
  const { uids, folderUid } = target;
  const list = uids
    ? onDocument({ workspace: organization.workspace, documentUid: uids.documentUid })
    : onFolder({ ...organization, folderUid: folderUid as FolderUid });
  if (userIds) {
    const load = async (ids: string[]) => {
      const [grants, users] = await Promise.all([list.among(ids), User.getMany(organization, ids)]);
      return shown(organization, grants, users);
    };
    return pageOfIds(userIds, bounds, load);
  }
  const entries = {
    read: list.read,
    async show(some: Entry[]) {
      const ids = some.map(({ userId }) => userId);
      const [grants, users] = await Promise.all([list.grantsOf(some), User.getMany(organization, ids)]);
      return shown(organization, grants, users);
    },
  };
  return fillPage(entries, bounds);
}

type Grants = (Grant.StoredGrant | undefined)[];
type Entry = { userId: string } & Position;

interface GrantList {
  read: Source<Entry>;
  /** The grants of the users, in their order. */
  among(userIds: readonly string[]): Promise<Grants>;
  /** The grants of the entries, in their order. */
  grantsOf(entries: Entry[]): Promise<Grants> | Grants;
}

const onDocument = (document: DocumentDataRef): GrantList => ({
  read: itemsOf(Grant.documentGrantEntity, document),
  among: (userIds) => Grant.listOnDocument(document, userIds),
  grantsOf: (entries) => entries as (Entry & Grant.StoredGrant)[],
});

/** A folder has an entry for each grant, which is stored with its user. An entry can stay without its grant. */
function onFolder(folder: FolderDataRef): GrantList {
  const among = (userIds: readonly string[]) => Grant.listOnFolder(folder, userIds);
  const grantsOf = (entries: Entry[]) => among(entries.map(({ userId }) => userId));
  return { read: itemsOf(folderGranteeEntity, folder), among, grantsOf };
}

/** Each user with the role of the user's grant; undefined where the grant has ended. */
async function shown(organization: OrganizationRef, grants: Grants, users: readonly (User.User | undefined)[]) {
  const held = grants.map((grant, index) => (User.holds(users[index], grant) ? grant : undefined));
  const show = await userShower(
    organization,
    users.filter((_, index) => held[index]),
  );
  return held.map((grant, index): ShownUser | undefined => {
    if (!grant) return undefined;
    const { userId, accessRole, expiresAt } = grant;
    const { expiresAt: _, ...rest } = show(users[index] ?? { userId });
    return { ...rest, accessRole, ...(expiresAt !== undefined && { expiresAt }) };
  });
}
