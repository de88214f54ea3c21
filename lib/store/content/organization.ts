// Organizations, and the list of a workspace's organizations.
import { randomUUID } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { fillPage, type Page } from "../../dynamodb/page.ts";
import { itemsOf, pageOfIds } from "../../dynamodb/sources.ts";
import type { Write } from "../../dynamodb/write.ts";
import { userEntity } from "../access/user.ts";
import { activityEntity } from "../activity/activity.ts";
import { activityEntryEntity } from "../activity/activity-entry.ts";
import { organizationWatcherPartitions } from "../features/watcher.ts";
import {
  type Descendants,
  type OrganizationRef,
  organizationPartition,
  type WorkspaceRef,
  workspacePartition,
} from "../refs.ts";
import { documentEntity } from "./document.ts";
import { folderEntity } from "./folder.ts";
import { childEntity, root } from "./folder-child.ts";
import { getStored, isFound, type Organization, organizationEntity } from "./organization-life.ts";

export type OrganizationEntry = Pick<Organization, "organizationId">;

export const organizationEntryEntity = entity<OrganizationEntry>()({
  name: "organization-entry",
  attributes: ["organizationId"],
  pk: (ref: WorkspaceRef, shard) => `${workspacePartition(ref)}#ORGS#${shard}`,
  sk: ({ organizationId }: { organizationId: string }) => segment(organizationId),
  shardBy: ({ organizationId }) => organizationId,
});

/** All data of an organization. */
export const organizationDescendants = (organization: OrganizationRef): Descendants => ({
  partitions: [
    organizationPartition(organization),
    ...[userEntity, folderEntity, documentEntity].flatMap((list) => list.partitions(organization)),
    ...organizationWatcherPartitions(organization),
    ...activityEntryEntity.partitions(organization),
    activityEntity.partition(organization),
    childEntity.partition({ ...organization, folderUid: root }),
  ],
});

export async function exists({ workspace, organizationId }: OrganizationRef): Promise<boolean> {
  return (await missing({ workspace }, [organizationId])).length === 0;
}

/** The ids without an organization. An organization that is being deleted counts as missing. */
export async function missing(ref: WorkspaceRef, organizationIds: readonly string[]): Promise<string[]> {
  const found = await getStored(ref, organizationIds);
  return organizationIds.filter((_, index) => !isFound(found[index]));
}

/** The organizations in the order of `ids`; undefined where there is none, or it is being deleted. */
export async function getMany(ref: WorkspaceRef, ids: readonly string[]): Promise<(Organization | undefined)[]> {
  return (await getStored(ref, ids)).map((each) => (isFound(each) ? each : undefined));
}

/** One page of the organizations of a workspace. */
export async function page(ref: WorkspaceRef, limit: number, from?: string): Promise<Page<Organization>> {
  const list = {
    read: itemsOf(organizationEntryEntity, ref),
    show: (entries: OrganizationEntry[]) =>
      getMany(
        ref,
        entries.map(({ organizationId }) => organizationId),
      ),
  };
  return fillPage(list, { limit, from });
}

/** One page of the organizations with these ids, in the order of the ids. Ids without an organization are omitted. */
export async function lookUp(ref: WorkspaceRef, ids: readonly string[], limit: number, from?: string) {
  return pageOfIds(ids, { limit, from }, (some) => getMany(ref, some));
}

/** For each organization, the writes that create it if it is missing. */
export function creating({ workspace }: WorkspaceRef, organizations: readonly NewOrganization[]) {
  const createdAt = new Date().toISOString();
  return organizations.map(({ organizationId, name }) => {
    const ref = { workspace, organizationId };
    const organization = { organizationId, organizationUid: randomUUID(), revision: 0, name, createdAt };
    const writes = [
      organizationEntity.put(ref, organization, "absent"),
      organizationEntryEntity.put(ref, { organizationId }),
    ];
    return { organizationId, writes };
  });
}

export type NewOrganization = { organizationId: string; name?: string | undefined };

/** The write that changes an organization. The condition fails when it has changed, or was deleted, since it was read. */
export function change(
  { workspace }: WorkspaceRef,
  organization: Organization,
  set: Pick<Organization, "name">,
): Write {
  const { organizationId, organizationUid, revision } = organization;
  const unchanged = { organizationUid, revision, deletionJobId: undefined };
  const changes = { set: { ...set, revision: revision + 1 } };
  return organizationEntity.update({ workspace, organizationId }, changes, unchanged);
}
