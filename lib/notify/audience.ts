// The audience of `notifyAll`: the organization's users with a profile or a grant on it, and other users with a grant on
// the document or on a folder above it. The audience of `notifyUserGroups`: the members of user groups. Each source is a list that is read page by
// page. A user can be in several sources.
import { shardCount } from "../dynamodb/key.ts";
import type { Page } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import { folderGranteeEntity } from "../store/access/folder-grantee.ts";
import { documentGrantEntity, isActive, listOnFolder, type StoredGrant } from "../store/access/grant.ts";
import * as User from "../store/access/user.ts";
import { type GroupLifeRef, groupMemberEntity, type Member } from "../store/access/user-group.ts";
import type { DocumentDataRef, FolderUid, OrganizationRef } from "../store/refs.ts";
import type { Candidate } from "./eligible.ts";

type AudienceRef = OrganizationRef & DocumentDataRef;

/** For each source, the key before its next page; null: it has ended. */
export type Cursors = readonly (string | null)[];

/** Entries of all pages that are read together. They fill one list of recipients. */
const entriesMax = 1_000;
/** Sources that are read together. */
const sourcesMax = shardCount + 4;

/** The folders above the document and the named groups, always in the same order. */
interface Sources {
  folderUids: readonly FolderUid[];
  /** Undefined: this life of the group has ended. */
  groups: readonly (GroupLifeRef | undefined)[];
}

/**
 * The start of all sources: the shards of the users, the document, the folders, and the groups. Without `isForAll`,
 * only the groups are sources.
 */
export const startOf = ({ folderUids, groups }: Sources, isForAll: boolean): Cursors => [
  ...Array<string | null>(shardCount + 1 + folderUids.length).fill(isForAll ? "" : null),
  ...groups.map(() => ""),
];

/** The next page of some sources, each user once, and the cursors after it. `sources`: as `startOf` returns them. */
export async function nextOf(ref: AudienceRef, sources: Sources, cursors: Cursors) {
  const open = cursors.flatMap((after, source) => (after === null ? [] : [{ source, after }])).slice(0, sourcesMax);
  const limit = Math.floor(entriesMax / Math.max(open.length, 1));
  const pages = await Promise.all(open.map(({ source, after }) => pageOf(ref, sources, source, { after, limit })));
  const users = pages.flatMap(({ items }) => ("users" in items ? items.users : []));
  const grants = pages.flatMap(({ items }) => ("grants" in items ? items.grants : []));
  const memberships = pages.flatMap(({ items }) => ("memberships" in items ? items.memberships : []));
  const next = [...cursors];
  for (const [index, { source }] of open.entries()) next[source] = pages[index]?.next ?? null;
  const ofOrganization = users.filter(isOfOrganization).map(candidateOf);
  // The grant on the organization can end before the guests are read. Then the user would be a guest too.
  const listed = new Set(ofOrganization.map(({ userId }) => userId));
  const others = grants.filter(({ userId }) => !listed.has(userId));
  const [invited, named] = await Promise.all([guests(ref, others), inGroups(ref, memberships)]);
  // A member of a group counts as named, so the last one wins.
  const byId = new Map([...ofOrganization, ...invited, ...named].map((each) => [each.userId, each]));
  return { candidates: [...byId.values()], cursors: next };
}

type Entries = { users: User.User[] } | { grants: StoredGrant[] } | { memberships: Member[] };

async function pageOf(
  ref: AudienceRef,
  { folderUids, groups }: Sources,
  source: number,
  range: { after: string; limit: number },
) {
  if (source < shardCount) {
    const page = await Table.query<User.User>({ ...range, pk: User.userEntity.partition(ref, source) });
    return withItems(page, { users: page.items });
  }
  if (source === shardCount) {
    const page = await Table.query<StoredGrant>({ ...range, ...documentGrantEntity.range(ref) });
    return withItems(page, { grants: page.items });
  }
  const folderUid = folderUids[source - shardCount - 1];
  if (folderUid === undefined) return pageOfGroup(groups[source - shardCount - 1 - folderUids.length], range);
  const folder = { ...ref, folderUid };
  const page = await Table.query<{ userId: string }>({ ...range, ...folderGranteeEntity.range(folder) });
  const grants = await listOnFolder(
    folder,
    page.items.map(({ userId }) => userId),
  );
  return withItems(page, { grants: grants.filter((grant) => grant !== undefined) });
}

async function pageOfGroup(group: GroupLifeRef | undefined, range: { after: string; limit: number }) {
  if (!group) return { items: { memberships: [] }, next: undefined };
  const page = await Table.query<Member>({ ...range, ...groupMemberEntity.range(group) });
  return withItems(page, { memberships: page.items });
}

const withItems = ({ next }: Page<unknown>, items: Entries) => ({ items, next });

const isOfOrganization = (user: User.User | undefined): user is User.User =>
  User.hasProfile(user) || User.isMember(user);

/** The users without a profile and a grant on the organization who have an active grant of their generation, each once. */
async function guests(ref: AudienceRef, grants: readonly StoredGrant[]): Promise<Candidate[]> {
  // All grants of a user that are in force have the user's generation. So one of them is enough to decide.
  const inForce = grants.filter((grant) => isActive(grant)).sort((one, other) => one.generation - other.generation);
  const active = [...new Map(inForce.map((grant) => [grant.userId, grant])).values()];
  const users = await User.getMany(
    ref,
    active.map(({ userId }) => userId),
  );
  return active.flatMap(({ userId, generation }, index) => {
    const user = users[index];
    if (isOfOrganization(user) || generation !== User.generationOf(user)) return [];
    return [{ userId, user, isNamed: false }];
  });
}

/** The users who were not deleted since they joined the group. */
async function inGroups(ref: AudienceRef, memberships: readonly Member[]): Promise<Candidate[]> {
  const users = await User.getMany(
    ref,
    memberships.map(({ userId }) => userId),
  );
  return memberships.flatMap(({ userId, generation = 0 }, index) => {
    const user = users[index];
    if (!User.isKnown(user) || generation !== User.generationOf(user)) return [];
    return [{ userId, user, isNamed: true }];
  });
}

const candidateOf = (user: User.User): Candidate => ({ userId: user.userId, user, isNamed: false });
