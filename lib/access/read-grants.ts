// Reads every grant that could decide about users and resources. Each document has a list of grants, each user has a
// list of folder grants, and each folder has a list of the users with a grant on it. If many entries of a list are
// wanted, the list is read. Otherwise single grants are read by key.
import { inParallel } from "../concurrency.ts";
import type { Key } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { queryWanted, wantedMin } from "../dynamodb/wanted.ts";
import { invalidField } from "../errors.ts";
import {
  documentGrantEntity,
  folderGrantEntity,
  folderGranteeEntity,
  type StoredGrant,
} from "../store/access/grant.ts";
import type { DocumentUid, FolderUid, OrganizationRef } from "../store/refs.ts";

/** The most folder grants that one call reads by key. */
const folderKeysMax = 10_000;
const queriesInFlight = 16;

interface WantedGrants extends OrganizationRef {
  userIds: readonly string[];
  folderUids: readonly FolderUid[];
  documentUids: readonly DocumentUid[];
}

/** Returns the grants of one user on a document or folder. */
interface FoundGrants {
  onDocument(userId: string, documentUid: DocumentUid): StoredGrant | undefined;
  onFolder(userId: string, folderUid: FolderUid): StoredGrant | undefined;
}

interface NamedKey {
  name: string;
  key: Key;
}

/** Throws INVALID_ARGUMENT when too many keys would be read. */
export async function readGrants({ userIds, folderUids, documentUids, ...ref }: WantedGrants): Promise<FoundGrants> {
  const grants = new Map<string, StoredGrant>();
  await Promise.all([readOnDocuments(), readOnFolders()]);
  return {
    onDocument: (userId, documentUid) => grants.get(nameOf("D", userId, documentUid)),
    onFolder: (userId, folderUid) => grants.get(nameOf("F", userId, folderUid)),
  };

  async function readOnDocuments(): Promise<void> {
    const rest = await inParallel(documentUids, queriesInFlight, (documentUid) => {
      const document = { ...ref, documentUid };
      const keyOf = (userId: string) => documentGrantEntity.key({ ...document, userId });
      const wanted = userIds.map((userId) => ({ name: nameOf("D", userId, documentUid), key: keyOf(userId) }));
      return readList(documentGrantEntity.range(document), wanted);
    });
    await readKeys(rest.flat());
  }

  async function readOnFolders(): Promise<void> {
    const possible = [...(await possibleFolders())];
    const rest = await inParallel(possible, queriesInFlight, ([userId, ids]) => {
      const user = { ...ref, userId };
      const keyOf = (folderUid: FolderUid) => folderGrantEntity.key({ ...user, folderUid });
      const wanted = ids.map((folderUid) => ({ name: nameOf("F", userId, folderUid), key: keyOf(folderUid) }));
      return readList(folderGrantEntity.range(user), wanted);
    });
    const keys = rest.flat();
    if (keys.length > folderKeysMax) throw tooManyGrants();
    await readKeys(keys);
  }

  /** For each user, the folders on which the user can have a grant. For many users, the folders' lists are read. */
  async function possibleFolders(): Promise<Map<string, readonly FolderUid[]>> {
    if (userIds.length < Math.max(wantedMin, folderUids.length)) return new Map(userIds.map((id) => [id, folderUids]));
    const folders = new Map<string, FolderUid[]>(userIds.map((id) => [id, []]));
    const users = new Map(userIds.map((userId) => [folderGranteeEntity.spec.sk({ userId }), userId]));
    await inParallel(folderUids, queriesInFlight, async (folderUid) => {
      const list = folderGranteeEntity.range({ ...ref, folderUid });
      const { items, rest } = await queryWanted(list, [...users.keys()]);
      for (const sk of [...items.map((item) => item.sk), ...rest]) folders.get(users.get(sk) ?? "")?.push(folderUid);
    });
    return folders;
  }

  /** Reads wanted grants of one partition. Returns the grants that the caller must read by their keys. */
  async function readList(range: Table.Range, wanted: NamedKey[]): Promise<NamedKey[]> {
    if (wanted.length < wantedMin) return wanted;
    const names = new Map(wanted.map(({ name, key }) => [key.sk, name]));
    const { items, rest } = await queryWanted<StoredGrant>(range, [...names.keys()]);
    for (const grant of items) grants.set(names.get(grant.sk) as string, grant);
    const left = new Set(rest);
    return wanted.filter(({ key }) => left.has(key.sk));
  }

  async function readKeys(wanted: readonly NamedKey[]): Promise<void> {
    const found = await Table.getMany<StoredGrant>(wanted.map(({ key }) => key));
    for (const [index, grant] of found.entries()) if (grant) grants.set(wanted[index]?.name as string, grant);
  }
}

/** As `readGrants`, for the first user only. It reads no lists, so the functions that users call have less code. */
export async function readGrantsOfUser({
  userIds,
  folderUids,
  documentUids,
  ...ref
}: WantedGrants): Promise<FoundGrants> {
  const [userId = ""] = userIds;
  const onDocuments = documentUids.map((documentUid) => documentGrantEntity.key({ ...ref, documentUid, userId }));
  const onFolders = folderUids.map((folderUid) => folderGrantEntity.key({ ...ref, folderUid, userId }));
  const found = await Table.getMany<StoredGrant>([...onDocuments, ...onFolders]);
  return {
    onDocument: (_, documentUid) => found[documentUids.indexOf(documentUid)],
    onFolder: (_, folderUid) => found[onDocuments.length + folderUids.indexOf(folderUid)],
  };
}

const nameOf = (...parts: string[]) => JSON.stringify(parts);

function tooManyGrants() {
  const message = `These users have too many grants on folders: one call reads at most ${folderKeysMax}. Request fewer users.`;
  return invalidField(["userIds"], message);
}
