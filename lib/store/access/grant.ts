// Grants: a role on an organization, a folder or a document. A grant on an organization is part of the user's item
// (`user.ts`). A grant on a document is stored under the document's internal id, so it ends with the document.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { above, atMost, type Condition, type Write } from "../../dynamodb/write.ts";
import { ttlAfter } from "../../retention.ts";
import type { AccessRole } from "../../schema/primitives.ts";
import {
  type Descendants,
  type DocumentDataRef,
  documentDataPartition,
  type FolderDataRef,
  type FolderUid,
  organizationPartition,
  type UserRef,
} from "../refs.ts";

export interface Grant {
  accessRole: AccessRole;
  /** Unix seconds. The grant ends exactly then, even if DynamoDB has not deleted it yet. */
  expiresAt?: number;
  /** Feature-level access, as [field, value] pairs. */
  access?: [field: string, value: string][];
}

/** A stored grant belongs to one generation of its user. A user who is deleted and added again has a new generation. */
export interface StoredGrant extends Grant {
  userId: string;
  generation: number;
}

type GrantItem = StoredGrant & { ttl?: number };

const grantAttributes = ["userId", "generation", "accessRole", "expiresAt", "access", "ttl"] as const;

interface FolderGrantItem extends GrantItem {
  organizationId: string;
  folderUid: FolderUid;
}

export const folderGrantEntity = entity<FolderGrantItem>()({
  name: "folder-grant",
  attributes: [...grantAttributes, "organizationId", "folderUid"],
  pk: ({ userId, ...ref }: UserRef) => `${organizationPartition(ref)}#UG#${segment(userId)}`,
  sk: ({ folderUid }: { folderUid: FolderUid }) => `F#${folderUid}`,
});

// The users with a grant on a folder. The grant itself is stored with its user. Both are written and deleted in one
// transaction. An entry can stay after its grant is deleted, but a grant never stays without its entry. So code that
// reads the list must read the grants. Code that deletes the list deletes the grants first.

interface Grantee {
  userId: string;
  /** When the item of the grant ends, Unix seconds. */
  ttl?: number | undefined;
}

export const folderGranteeEntity = entity<Grantee>()({
  name: "folder-grantee",
  attributes: ["userId", "ttl"],
  pk: ({ folderUid, ...ref }: FolderDataRef) => `${organizationPartition(ref)}#FG#${folderUid}`,
  sk: ({ userId }: { userId: string }) => segment(userId),
});

export const documentGrantEntity = entity<GrantItem>()({
  name: "document-grant",
  attributes: grantAttributes,
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "GRANT#",
  sk: ({ userId }: { userId: string }) => segment(userId),
});

/** Whether there is a grant that has not ended. */
export function isActive(grant: { expiresAt?: number | undefined } | undefined, nowMs = Date.now()): boolean {
  return grant !== undefined && (grant.expiresAt === undefined || nowMs < grant.expiresAt * 1_000);
}

/** The condition that a grant is as it was read. */
export function asRead({ generation, accessRole, expiresAt, access }: Partial<StoredGrant>) {
  return { generation, accessRole, expiresAt, access };
}

/** The condition that a grant's own item is as it was read. Without a grant: that there still is none. */
export const unchanged = (grant: StoredGrant | undefined): Condition => (grant ? asRead(grant) : "absent");

/** The condition that a grant of this generation is in force. */
export const inForce = (generation: number): Condition => ({ generation, expiresAt: above(Date.now() / 1_000) });

const itemOf = ({ userId, generation, accessRole, expiresAt, access }: StoredGrant): GrantItem => ({
  userId,
  generation,
  accessRole,
  ...(expiresAt !== undefined && { expiresAt, ttl: ttlAfter("expiredGrant", expiresAt) }),
  ...(access && { access }),
});

/** The condition that a grant does not replace one of the user's next generation. */
const sameOrLater = ({ generation }: StoredGrant): Condition => ({ generation: atMost(generation) });

/** The writes of a grant on a folder, with its entry in the list of the folder. The condition is on the stored grant. */
export function onFolder(folder: FolderDataRef, grant: StoredGrant, condition = sameOrLater(grant)): Write[] {
  const { userId } = grant;
  const { organizationId, folderUid } = folder;
  const item = itemOf(grant);
  return [
    folderGrantEntity.put({ ...folder, userId }, { ...item, organizationId, folderUid }, condition),
    folderGranteeEntity.put({ ...folder, userId }, { userId, ...(item.ttl !== undefined && { ttl: item.ttl }) }),
  ];
}

/** The writes that end a grant on a folder. The condition fails when none of this generation is in force. */
export const withoutFolder = (folder: FolderDataRef, userId: string, generation: number): Write[] => [
  folderGrantEntity.delete({ ...folder, userId }, inForce(generation)),
  folderGranteeEntity.delete({ ...folder, userId }),
];

/** The entry of a grant in the list of its folder. */
export const folderGrantDescendants = (grant: FolderGrantItem & UserRef): Descendants => ({
  items: [folderGranteeEntity.key(grant)],
});

/** The keys of the grants of these users on a folder, with their entries in the list of the folder. */
export const folderGrantKeys = (folder: FolderDataRef, userIds: readonly string[]) => ({
  grants: userIds.map((userId) => folderGrantEntity.key({ ...folder, userId })),
  grantees: userIds.map((userId) => folderGranteeEntity.key({ ...folder, userId })),
});

/** The write of a grant on a document. The condition is on the stored grant. */
export function onDocument(ref: DocumentDataRef, grant: StoredGrant, condition = sameOrLater(grant)): Write {
  return documentGrantEntity.put({ ...ref, userId: grant.userId }, itemOf(grant), condition);
}

/** The grants of these users on one folder, in their order. */
export async function listOnFolder(folder: FolderDataRef, userIds: readonly string[]) {
  return Table.getMany<StoredGrant>(userIds.map((userId) => folderGrantEntity.key({ ...folder, userId })));
}

/** The grants of these users on one document, in their order. */
export async function listOnDocument(ref: DocumentDataRef, userIds: readonly string[]) {
  return Table.getMany<StoredGrant>(userIds.map((userId) => documentGrantEntity.key({ ...ref, userId })));
}
