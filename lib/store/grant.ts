// Grants: a role on an organization, a folder or a document. An organization's lives in the user's own item
// (`user.ts`), a document's under the document's uid, so that it ends with the document.

import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { ttlAfter } from "../retention.ts";
import type { AccessRole } from "../schema/primitives.ts";
import { keys } from "./keys.ts";

export interface Grant {
  accessRole: AccessRole;
  /** Unix seconds. The grant ends exactly then, whether or not the store has removed it. */
  expiresAt?: number;
  /** Feature-level access, as [field, value] pairs. */
  access?: [field: string, value: string][];
}

/** A stored grant belongs to one life of its user: a user deleted and added again starts with a new one. */
export interface StoredGrant extends Grant {
  userId: string;
  life: number;
}

/** True until the very second the grant ends. */
export function holds(grant: Pick<Grant, "expiresAt"> | undefined, nowMs = Date.now()): boolean {
  return grant !== undefined && (grant.expiresAt === undefined || nowMs < grant.expiresAt * 1_000);
}

const attributesOf = ({ accessRole, expiresAt, access }: Grant) => ({
  accessRole,
  ...(expiresAt !== undefined && { expiresAt, ttl: ttlAfter("expiredGrant", expiresAt) }),
  ...(access && { access }),
});

export function onFolder(workspace: string, organizationId: string, folderId: string, grant: StoredGrant): Write {
  const { userId, life } = grant;
  return {
    put: {
      ...keys.folderGrant(workspace, organizationId, userId, folderId),
      userId,
      life,
      folderId,
      ...attributesOf(grant),
    },
  };
}

/** `uid` is the document's, see `document.ts`. */
export function onDocument(workspace: string, uid: string, grant: StoredGrant): Write {
  const { userId, life } = grant;
  return { put: { ...keys.documentGrant(workspace, uid, userId), userId, life, ...attributesOf(grant) } };
}

/** Stored grants of these users on one resource, in their order. */
export async function listOn(
  workspace: string,
  organizationId: string,
  on: { folderId: string } | { uid: string },
  userIds: readonly string[],
) {
  return Table.getMany<StoredGrant>(
    userIds.map((userId) =>
      "uid" in on
        ? keys.documentGrant(workspace, on.uid, userId)
        : keys.folderGrant(workspace, organizationId, userId, on.folderId),
    ),
  );
}
