// Organizations, and the list of a workspace's organizations. An organization is never deleted, except with its whole
// workspace. So a container that has seen one need not read it again.
import { config } from "../config.ts";
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { commitEach } from "../jobs/commit.ts";
import { Lru } from "../lru.ts";
import type { Descendants } from "./descendants.ts";
import { documentEntity } from "./document.ts";
import { folderEntity } from "./folder.ts";
import { childEntity, root } from "./folder-child.ts";
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
    childEntity.partition({ ...organization, folderUid: root }),
  ],
});

const keyOf = ({ workspace }: WorkspaceRef, organizationId: string) =>
  organizationEntity.key({ workspace, organizationId });

/** Organizations that this container has seen (DECISIONS.md#kept-settings). A missing one is never remembered. */
const seen = new Lru<string, true>(10_000);

export async function exists({ workspace, organizationId }: OrganizationRef): Promise<boolean> {
  return (await missing({ workspace }, [organizationId])).length === 0;
}

/** The ids without an organization. */
export async function missing(ref: WorkspaceRef, organizationIds: readonly string[]): Promise<string[]> {
  const nameOf = (id: string) => `${config.tableName()} ${keyOf(ref, id).pk}`;
  const unseen = organizationIds.filter((id) => !seen.get(nameOf(id)));
  const found = await Table.getMany(unseen.map((id) => keyOf(ref, id)));
  for (const [index, id] of unseen.entries()) if (found[index]) seen.set(nameOf(id), true);
  return unseen.filter((_, index) => found[index] === undefined);
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
