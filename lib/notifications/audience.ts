// Whom `notifyAll` reaches: the organization's members, and other users with a grant on the document or on a folder
// above it. Each source is a list that is read page by page. A user can be in several of them.
import { shardCount } from "../dynamodb/key.ts";
import type { Page } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import { folderGranteeEntity } from "../store/folder-grantee.ts";
import { documentGrantEntity, isActive, listOnFolder, type StoredGrant } from "../store/grant.ts";
import type { DocumentDataRef, FolderUid, OrganizationRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import type { Candidate } from "./eligible.ts";

type AudienceRef = OrganizationRef & DocumentDataRef;

/** For each source, the key before its next page; null: it has ended. */
export type Cursors = readonly (string | null)[];

/** Entries of all pages that are read together, so that they fill one list of recipients. */
const entriesMax = 1_000;
/** Sources that are read together. */
const sourcesMax = shardCount + 4;

/** The start of all sources: the shards of the members, the document, and the folders. */
export const startOf = (folders: readonly FolderUid[]): Cursors =>
  Array<string>(shardCount + 1 + folders.length).fill("");

/** The next page of some sources, each user once, and the cursors behind it. `folders` are those of `startOf`. */
export async function nextOf(ref: AudienceRef, folders: readonly FolderUid[], cursors: Cursors) {
  const open = cursors.flatMap((after, source) => (after === null ? [] : [{ source, after }])).slice(0, sourcesMax);
  const limit = Math.floor(entriesMax / Math.max(open.length, 1));
  const pages = await Promise.all(open.map(({ source, after }) => pageOf(ref, folders, source, { after, limit })));
  const users = pages.flatMap(({ items }) => ("users" in items ? items.users : []));
  const grants = pages.flatMap(({ items }) => ("grants" in items ? items.grants : []));
  const next = [...cursors];
  for (const [index, { source }] of open.entries()) next[source] = pages[index]?.next ?? null;
  const members = users.filter(User.isMember).map(candidateOf);
  // The grant on the organization can end before the guests are read. Then the user would be a guest too.
  const listed = new Set(members.map(({ userId }) => userId));
  const others = grants.filter(({ userId }) => !listed.has(userId));
  return { candidates: [...members, ...(await guests(ref, others))], cursors: next };
}

type Entries = { users: User.User[] } | { grants: StoredGrant[] };

async function pageOf(
  ref: AudienceRef,
  folders: readonly FolderUid[],
  source: number,
  range: { after: string; limit: number },
) {
  if (source < shardCount) {
    const page = await Table.query<User.User>({ ...range, pk: User.userEntity.partition(ref, source) });
    return withItems(page, { users: page.items });
  }
  const folderUid = folders[source - shardCount - 1];
  if (folderUid === undefined) {
    const page = await Table.query<StoredGrant>({ ...range, ...documentGrantEntity.range(ref) });
    return withItems(page, { grants: page.items });
  }
  const folder = { ...ref, folderUid };
  const page = await Table.query<{ userId: string }>({ ...range, ...folderGranteeEntity.range(folder) });
  const grants = await listOnFolder(
    folder,
    page.items.map(({ userId }) => userId),
  );
  return withItems(page, { grants: grants.filter((grant) => grant !== undefined) });
}

const withItems = ({ next }: Page<unknown>, items: Entries) => ({ items, next });

/** The users with an active grant of their generation who are no members, each once. */
async function guests(ref: AudienceRef, grants: readonly StoredGrant[]): Promise<Candidate[]> {
  // All grants of a user that are in force have the user's generation. So any of them tells whether the user has one.
  const inForce = grants.filter((grant) => isActive(grant)).sort((one, other) => one.generation - other.generation);
  const active = [...new Map(inForce.map((grant) => [grant.userId, grant])).values()];
  const users = await User.getMany(
    ref,
    active.map(({ userId }) => userId),
  );
  return active.flatMap(({ userId, generation }, index) => {
    const user = users[index];
    if (User.isMember(user) || generation !== User.generationOf(user)) return [];
    return [{ userId, user, isNamed: false }];
  });
}

const candidateOf = (user: User.User): Candidate => ({ userId: user.userId, user, isNamed: false });
