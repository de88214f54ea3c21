// Removes grants in one organization. It also removes grants that wait for a migration, so none of them comes later.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "../jobs/commit.ts";
import type { ResourceName } from "../schema/access.ts";
import { type AccessRole, distinct } from "../schema/primitives.ts";
import { documentGrantEntity, inForce, type StoredGrant, unchanged, withoutFolder } from "../store/access/grant.ts";
import * as GrantUids from "../store/access/grant-uids.ts";
import * as User from "../store/access/user.ts";
import * as Folder from "../store/content/folder.ts";
import * as Organization from "../store/content/organization.ts";
import type { OrganizationRef } from "../store/refs.ts";

interface Removal extends Pick<ResourceName, "type" | "id"> {
  userId: string;
}

type UidsById = ReadonlyMap<string, GrantUids.GrantUids>;

interface Found {
  uidsById: UidsById;
  folders: ReadonlyMap<string, Folder.Pointer | undefined>;
  users: ReadonlyMap<string, User.User | undefined>;
}

interface Unit {
  removal: Removal;
  writes: Write[];
  /** The role of the grant that was read. */
  before?: AccessRole | undefined;
  /** No grant was in force. The writes only make sure that a migration moves no grant meanwhile. */
  isEmpty?: boolean;
}

/** Takes distinct removals. Returns the removals that found a grant in force. Safe to repeat. */
export async function removeGrants(
  organization: OrganizationRef,
  removals: readonly Removal[],
): Promise<ReadonlySet<Removal>> {
  const { workspace, organizationId } = organization;
  const removed = new Set<Removal>();
  let rest = removals;
  return retryOnConflict("grants", async () => {
    const idsOf = (wanted: Removal["type"]) => distinct(rest.filter(({ type }) => type === wanted).map(({ id }) => id));
    const userIds = distinct(rest.map(({ userId }) => userId));
    const [uidsById, folders, users, hasOrganization] = await Promise.all([
      GrantUids.known(organization, idsOf("document")),
      Folder.pointersById(organization, idsOf("folder")),
      User.getMany(organization, userIds),
      Organization.exists(organization),
    ]);
    // While the organization is being deleted, its items are still stored.
    if (!hasOrganization) return removed;
    const found = { uidsById, folders, users: new Map(userIds.map((id, index) => [id, users[index]])) };
    const units = await unitsOf(organization, rest, found);
    const written = await commitEach(units, (done) => ({
      events: done.flatMap(({ removal: { userId, type, id }, isEmpty, before }) => {
        const data = { userId, resource: { type, id }, accessRole: null, ...(before && { before }) };
        return isEmpty ? [] : [{ type: "permission.update" as const, workspace, organizationId, data }];
      }),
    }));
    for (const [index, { removal, isEmpty }] of units.entries()) if (written[index] && !isEmpty) removed.add(removal);
    const failed = units.filter((_, index) => !written[index]).map(({ removal }) => removal);
    rest = await unsettled(organization, failed, found);
    return rest.length === 0 ? removed : conflict;
  });
}

async function unitsOf(organization: OrganizationRef, removals: readonly Removal[], found: Found): Promise<Unit[]> {
  // Reads that begin together share their requests.
  const units = await Promise.all(removals.map((removal) => unitOf(organization, removal, found)));
  return units.filter((unit) => unit !== undefined);
}

/** Undefined: the document does not exist. */
async function unitOf(
  organization: OrganizationRef,
  removal: Removal,
  { uidsById, folders, users }: Found,
): Promise<Unit | undefined> {
  const { type, id, userId } = removal;
  const user = users.get(userId);
  const generation = User.generationOf(user);
  if (type === "organization") {
    const before = User.isMember(user) ? user.accessRole : undefined;
    return { removal, before, writes: [User.withoutGrant({ ...organization, userId }, before)] };
  }
  if (type === "folder") {
    const folderUid = Folder.uidOf(id, folders.get(id));
    return { removal, writes: withoutFolder({ ...organization, folderUid }, userId, generation) };
  }
  const uids = uidsById.get(id);
  if (!uids) return undefined;
  const { workspace } = organization;
  const own = { workspace, documentUid: uids.documentUid, userId };
  if (uids.waitingUids.length === 0) return { removal, writes: [documentGrantEntity.delete(own, inForce(generation))] };
  const refs = [...uids.waitingUids.map((documentUid) => ({ ...own, documentUid })), own];
  const grants = await Table.getMany<StoredGrant>(refs.map((ref) => documentGrantEntity.key(ref)));
  const writes = refs.map((ref, index) => documentGrantEntity.delete(ref, unchanged(grants[index])));
  // The last one is under the document's own id.
  const held = grants.findLast((grant) => User.holds(user, grant));
  return { removal, writes, before: held?.accessRole, isEmpty: !held };
}

/**
 * The removals to try again. Most failed conditions mean that there is no grant. The others mean that the grant on the
 * organization has changed since it was read, or that a migration moves a grant.
 */
async function unsettled(organization: OrganizationRef, failed: readonly Removal[], { uidsById, users }: Found) {
  const ids = new Set(failed.filter(({ type }) => type === "document").map(({ id }) => id));
  const moved = await GrantUids.moved(organization, new Map([...uidsById].filter(([id]) => ids.has(id))));
  return failed.filter(({ type, id, userId }) => {
    if (type === "organization") return User.isMember(users.get(userId));
    return type === "document" && (moved.has(id) || uidsById.get(id)?.waitingUids.length);
  });
}
