// The audience of `notifyAll`: the known users of the organization. The audience of `notifyUserGroups`: the members of
// user groups. Each source is a list that is read page by page. A user can be in several sources.
import { shardCount } from "../dynamodb/key.ts";
import type { Page } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import * as User from "../store/access/user.ts";
import { type GroupLifeRef, groupMemberEntity, type Member } from "../store/access/user-group.ts";
import type { OrganizationRef } from "../store/refs.ts";
import type { Candidate } from "./eligible.ts";

/** For each source, the key before its next page; null: it has ended. */
export type Cursors = readonly (string | null)[];

/** The named groups, always in the same order. Undefined: this life of the group has ended. */
type Groups = readonly (GroupLifeRef | undefined)[];

/** Entries of all pages that are read together. They fill one list of recipients. */
const entriesMax = 1_000;
/** Sources that are read together. */
const sourcesMax = shardCount + 4;

/** The start of all sources: the shards of the users, and the groups. Without `isForAll`, only the groups are sources. */
export const startOf = (groups: Groups, isForAll: boolean): Cursors => [
  ...Array<string | null>(shardCount).fill(isForAll ? "" : null),
  ...groups.map(() => ""),
];

/** The next page of some sources, each user once, and the cursors after it. `groups`: as `startOf` got them. */
export async function nextOf(organization: OrganizationRef, groups: Groups, cursors: Cursors) {
  const open = cursors.flatMap((after, source) => (after === null ? [] : [{ source, after }])).slice(0, sourcesMax);
  const limit = Math.floor(entriesMax / Math.max(open.length, 1));
  const pages = await Promise.all(
    open.map(async ({ source, after }): Promise<Page<Candidate>> => {
      const range = { after, limit };
      if (source < shardCount) return pageOfUsers(organization, source, range);
      // The groups are the last sources.
      return pageOfGroup(organization, groups.at(source - cursors.length), range);
    }),
  );
  const next = [...cursors];
  for (const [index, { source }] of open.entries()) next[source] = pages[index]?.next ?? null;
  // The pages of groups come last. So a member of a group counts as named.
  const byId = new Map(pages.flatMap(({ items }) => items).map((each) => [each.userId, each]));
  return { candidates: [...byId.values()], cursors: next };
}

async function pageOfUsers(organization: OrganizationRef, shard: number, range: { after: string; limit: number }) {
  const pk = User.userEntity.partition(organization, shard);
  const page = await Table.query<User.User>({ ...range, pk });
  const known = page.items.filter(User.isKnown);
  return { ...page, items: known.map((user) => ({ userId: user.userId, user, isNamed: false })) };
}

/** The members who were not deleted since they joined the group. */
async function pageOfGroup(
  organization: OrganizationRef,
  group: GroupLifeRef | undefined,
  range: { after: string; limit: number },
) {
  if (!group) return { items: [] };
  const page = await Table.query<Member>({ ...range, ...groupMemberEntity.range(group) });
  const users = await User.getMany(
    organization,
    page.items.map(({ userId }) => userId),
  );
  const items = page.items.flatMap(({ userId, generation = 0 }, index) => {
    const user = users[index];
    if (!User.isKnown(user) || generation !== User.generationOf(user)) return [];
    return [{ userId, user, isNamed: true }];
  });
  return { ...page, items };
}
