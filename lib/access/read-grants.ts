// Reads every grant that could decide about users and resources, with a bounded number of requests and units. A grant on
// a document has a key of its own. The folder grants of a user share a partition, so one query can read them all.
import { inParallel } from "../concurrency.ts";
import type { Key } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { invalidField } from "../errors.ts";
import { documentGrantEntity, folderGrantEntity, type StoredGrant } from "../store/grant.ts";
import type { DocumentUid, OrganizationRef } from "../store/refs.ts";

/** Keys of one call, each a unit: 200 requests of 100 keys. */
const keysMax = 20_000;
/** For more folders than this, a query costs less than their keys: a unit holds about 25 grants. */
const folderKeysMax = 20;
/** For more users than this, queries would be more requests than their keys. */
const queriesMax = 150;
/** Grants of one query, about eight units. The grants of a user who has more are read by their keys. */
const grantsPerQuery = 200;
const queriesInFlight = 16;

export interface WantedGrants extends OrganizationRef {
  userIds: readonly string[];
  folderIds: readonly string[];
  documentUids: readonly DocumentUid[];
}

/** Returns the grants of one user on a document or folder. */
export interface FoundGrants {
  onDocument(userId: string, documentUid: DocumentUid): StoredGrant | undefined;
  onFolder(userId: string, folderId: string): StoredGrant | undefined;
}

interface NamedKey {
  name: string;
  key: Key;
}

/** Throws INVALID_ARGUMENT when too many keys would be read. */
export async function readGrants({ userIds, folderIds, documentUids, ...ref }: WantedGrants): Promise<FoundGrants> {
  const grants = new Map<string, StoredGrant>();
  const canQuery = folderIds.length > folderKeysMax && userIds.length <= queriesMax;
  const ofDocuments = userIds.length * documentUids.length;
  checkCount(ofDocuments + (canQuery ? 0 : userIds.length * folderIds.length));
  const first = [...folderKeys(canQuery ? [] : userIds), ...documentKeys()];
  const [remaining] = await Promise.all([canQuery ? queryFolders() : [], readKeys(first)]);
  checkCount(ofDocuments + remaining.length * folderIds.length);
  await readKeys(folderKeys(remaining));
  return {
    onDocument: (userId, documentUid) => grants.get(nameOf("D", userId, documentUid)),
    onFolder: (userId, folderId) => grants.get(nameOf("F", userId, folderId)),
  };

  function documentKeys(): NamedKey[] {
    return userIds.flatMap((userId) =>
      documentUids.map((documentUid) => ({
        name: nameOf("D", userId, documentUid),
        key: documentGrantEntity.key({ ...ref, documentUid, userId }),
      })),
    );
  }

  function folderKeys(ofUsers: readonly string[]): NamedKey[] {
    return ofUsers.flatMap((userId) =>
      folderIds.map((folderId) => ({
        name: nameOf("F", userId, folderId),
        key: folderGrantEntity.key({ ...ref, userId, folderId }),
      })),
    );
  }

  /** Returns the users who have more grants than one query reads. */
  async function queryFolders(): Promise<string[]> {
    const areMore = await inParallel(userIds, queriesInFlight, async (userId) => {
      const range = folderGrantEntity.range({ ...ref, userId });
      const { items, next } = await Table.query<StoredGrant & { folderId: string }>({
        ...range,
        limit: grantsPerQuery,
      });
      for (const grant of items) grants.set(nameOf("F", userId, grant.folderId), grant);
      return next !== undefined;
    });
    return userIds.filter((_, index) => areMore[index]);
  }

  async function readKeys(wanted: readonly NamedKey[]): Promise<void> {
    const found = await Table.getMany<StoredGrant>(wanted.map(({ key }) => key));
    for (const [index, grant] of found.entries()) if (grant) grants.set(wanted[index]?.name as string, grant);
  }
}

const nameOf = (...parts: string[]) => JSON.stringify(parts);

function checkCount(keys: number): void {
  if (keys <= keysMax) return;
  const message = `Users times documents and the folders above them must be at most ${keysMax}. Ask for fewer users.`;
  throw invalidField(["userIds"], message);
}
