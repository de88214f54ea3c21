// Organizations, and the list of a workspace's organizations.
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import type { Descendants } from "./descendants.ts";
import { documentEntity } from "./document.ts";
import { childEntity, folderEntity, root } from "./folder.ts";
import { type OrganizationRef, organizationPartition, type WorkspaceRef, workspacePartition } from "./refs.ts";
import { userEntity } from "./user.ts";

export interface Organization {
  organizationId: string;
  name?: string | undefined;
  createdAt: string;
}

export const organizationEntity = entity<Organization>()({
  name: "organization",
  attributes: { organizationId: true, name: true, createdAt: true },
  pk: (ref: OrganizationRef) => organizationPartition(ref),
  sk: () => "ORG",
});

export const organizationEntryEntity = entity<Pick<Organization, "organizationId">>()({
  name: "organization-entry",
  attributes: { organizationId: true },
  pk: (ref: WorkspaceRef, shard) => `${workspacePartition(ref)}#ORGS#${shard}`,
  sk: ({ organizationId }: { organizationId: string }) => segment(organizationId),
  shardBy: ({ organizationId }) => organizationId,
});

/** All data of an organization. */
export const organizationDescendants = (organization: OrganizationRef): Descendants => ({
  partitions: [
    organizationPartition(organization),
    ...[userEntity, folderEntity, documentEntity].flatMap((list) => list.partitions(organization)),
    childEntity.partition({ ...organization, parentId: root }),
  ],
});

const keyOf = ({ workspace }: WorkspaceRef, organizationId: string) =>
  organizationEntity.key({ workspace, organizationId });

export async function exists(ref: OrganizationRef): Promise<boolean> {
  return (await Table.get(organizationEntity.key(ref))) !== undefined;
}

/** The ids without an organization. Organizations are never deleted, so the other ones keep existing. */
export async function missing(ref: WorkspaceRef, organizationIds: readonly string[]): Promise<string[]> {
  const found = await Table.getMany(organizationIds.map((id) => keyOf(ref, id)));
  return organizationIds.filter((_, index) => found[index] === undefined);
}

/** Creates the missing organizations. Returns for each whether this call created it. */
export async function createMissing(
  { workspace }: WorkspaceRef,
  organizations: readonly { organizationId: string; name?: string | undefined }[],
): Promise<boolean[]> {
  const createdAt = new Date().toISOString();
  const units = organizations.map(({ organizationId, name }) => {
    const ref = { workspace, organizationId };
    return {
      organizationId,
      writes: [
        organizationEntity.put(ref, { organizationId, name, createdAt }, "absent"),
        organizationEntryEntity.put(ref, { organizationId }),
      ],
    };
  });
  return commitEach(units, (written) => ({
    events: written.map(({ organizationId }) => ({
      type: "organization.add",
      workspace,
      organizationId,
      data: { organizationId },
    })),
  }));
}

/** Creates the missing organizations. Usually none is missing, and a read costs a quarter of a failed write. */
export async function ensureAll(ref: WorkspaceRef, organizationIds: readonly string[]): Promise<void> {
  const ids = await missing(ref, organizationIds);
  if (ids.length > 0) {
    await createMissing(
      ref,
      ids.map((organizationId) => ({ organizationId })),
    );
  }
}
