// Revokes a user's grants, organization by organization. Safe to repeat.

import { inParallel } from "../concurrency.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "../jobs/commit.ts";
import type { ResourceName } from "../schema/access.ts";
import * as Document from "../store/document.ts";
import { documentGrantEntity, folderGrantEntity } from "../store/grant.ts";
import type { DocumentUid, OrganizationRef } from "../store/refs.ts";
import * as User from "../store/user.ts";
import { byOrganization } from "./grants.ts";

const organizationsInFlight = 4;

/** Returns the number of grants removed. */
export async function revokeAccess(
  workspace: string,
  userId: string,
  resources: readonly ResourceName[],
): Promise<number> {
  const groups = [...byOrganization(resources)];
  const counts = await inParallel(groups, organizationsInFlight, async ([organizationId, named]) => {
    const documentIds = named.filter(({ type }) => type === "document").map(({ id }) => id);
    const organization = { workspace, organizationId };
    const documentUids = await Document.knownUids(organization, documentIds);
    const units = named.flatMap((resource) => {
      const write = removalOf(organization, resource, documentUids);
      return write ? [{ resource, writes: [write] }] : [];
    });
    const outcome = await commitEach(units, (done) => ({
      events: done.map(({ resource: { type, id } }) => ({
        type: "permission.update",
        workspace,
        organizationId,
        data: { userId, resource: { type, id } },
      })),
    }));
    return outcome.filter(Boolean).length;
  });
  return counts.reduce((sum, count) => sum + count, 0);

  function removalOf(
    organization: OrganizationRef,
    { type, id }: ResourceName,
    documentUids: Map<string, DocumentUid>,
  ): Write | undefined {
    if (type === "organization") return User.withoutGrant({ ...organization, userId });
    if (type === "folder") return folderGrantEntity.delete({ ...organization, userId, folderId: id }, "present");
    const documentUid = documentUids.get(id);
    return documentUid && documentGrantEntity.delete({ workspace, documentUid, userId }, "present");
  }
}
