// The users who have a grant on one folder or document, in pages.
import type { Key } from "../dynamodb/key.ts";
import { type Page, pageOf } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import { notFound } from "../errors.ts";
import type { ShownUser } from "../schema/user.ts";
import type { FolderRef } from "../store/folder.ts";
import { folderGranteeEntity } from "../store/folder-grantee.ts";
import * as Grant from "../store/grant.ts";
import type { DocumentDataRef, OrganizationRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import type { GrantedResource } from "./grants.ts";
import type { Wanted } from "./list-users.ts";
import { existingTarget } from "./resource-grants.ts";
import { shownUser } from "./shown-user.ts";

/**
 * The users with an active grant on an existing folder or document, with the role of that grant, also those without a
 * profile. Throws NOT_FOUND for a missing folder or document.
 */
export async function usersWithGrant(
  organization: OrganizationRef,
  resource: GrantedResource,
  { userIds, ...wanted }: Wanted,
): Promise<Page<ShownUser>> {
  const target = await existingTarget(organization, resource);
  if (!target) throw notFound(resource.type);
  const { place } = target;
  const list = place
    ? onDocument({ workspace: organization.workspace, documentUid: place.documentUid })
    : onFolder({ ...organization, folderId: resource.id });
  if (!userIds) return page(organization, list, wanted);
  const [grants, users] = await Promise.all([list.among(userIds), User.getMany(organization, userIds)]);
  return { items: grants.flatMap((grant, index) => shown(grant, users[index]) ?? []) };
}

type Grants = (Grant.StoredGrant | undefined)[];
type Entry = { userId: string } & Key;

interface GrantList {
  range: Table.Range;
  /** The grants of the users, in their order. */
  among(userIds: readonly string[]): Promise<Grants>;
  /** The grants of the entries in the range, in their order. */
  grantsOf(entries: Entry[]): Promise<Grants> | Grants;
}

const onDocument = (document: DocumentDataRef): GrantList => ({
  range: Grant.documentGrantEntity.range(document),
  among: (userIds) => Grant.listOnDocument(document, userIds),
  grantsOf: (entries) => entries as (Entry & Grant.StoredGrant)[],
});

/** Grants on folders are stored with their users. The folder has an entry for each, which can outlive the grant. */
function onFolder(folder: FolderRef): GrantList {
  const among = (userIds: readonly string[]) => Grant.listOnFolder(folder, userIds);
  const grantsOf = (entries: Entry[]) => among(entries.map(({ userId }) => userId));
  return { range: folderGranteeEntity.range(folder), among, grantsOf };
}

/** Entries of each further read, when ended grants have left the page short. */
const entriesPerRead = 100;
/** Reads for one page. Then it ends short, and the next page continues. */
const readsMax = 8;

/** Up to `limit` users, in the order of their keys. Grants that have ended do not shorten the page. */
async function page(organization: OrganizationRef, list: GrantList, { limit, from }: Omit<Wanted, "userIds">) {
  const items: ShownUser[] = [];
  let after = from;
  for (let reads = 0; reads < readsMax; reads++) {
    const size = reads === 0 ? limit + 1 : Math.max(limit + 1, entriesPerRead);
    const read = await Table.queryFull<Entry>({ ...list.range, limit: size, ...(after && { after }) });
    const ids = read.items.map(({ userId }) => userId);
    const [grants, users] = await Promise.all([list.grantsOf(read.items), User.getMany(organization, ids)]);
    for (const [index, { sk }] of read.items.entries()) {
      const user = shown(grants[index], users[index]);
      if (user && items.length === limit) return pageOf(items, after);
      if (user) items.push(user);
      after = sk;
    }
    if (read.next === undefined) return { items };
    if (items.length === limit) break;
  }
  return pageOf(items, after);
}

/** The user with the role of the grant; undefined when the grant has ended. */
function shown(grant: Grant.StoredGrant | undefined, user: User.User | undefined): ShownUser | undefined {
  if (!User.holds(user, grant)) return undefined;
  const { userId, accessRole, expiresAt } = grant;
  const { expiresAt: _, ...rest } = shownUser(user ?? { userId });
  return { ...rest, accessRole, ...(expiresAt !== undefined && { expiresAt }) };
}
