// An organization's item: whether the organization exists, and which life of its id this is. A deletion leaves the item
// with the id of its job, until the job has deleted all data of the organization. Until then, nothing of the
// organization is found, and its id cannot be added again (DECISIONS.md#deletion-of-organizations).
import { entity } from "../../dynamodb/entity.ts";
import { type Key, segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { type OrganizationRef, organizationPartition, type WorkspaceRef, workspacePartition } from "../refs.ts";

export interface Organization {
  organizationId: string;
  /** Identifies this life of the id. */
  organizationUid: string;
  /** The number of changes since the creation. */
  revision: number;
  name?: string | undefined;
  createdAt: string;
  /** The job that deletes the organization. Calls do not find such an organization. */
  deletionJobId?: string;
}

export const organizationEntity = entity<Organization>()({
  name: "organization",
  attributes: ["organizationId", "organizationUid", "revision", "name", "createdAt", "deletionJobId"],
  pk: (ref: OrganizationRef) => organizationPartition(ref),
  sk: () => "ORG",
});

export const isBeingDeleted = (organization: Organization | undefined): organization is Organization =>
  organization?.deletionJobId !== undefined;

export const isFound = (organization: Organization | undefined): organization is Organization =>
  organization !== undefined && !isBeingDeleted(organization);

/** One life of an organization. */
export type OrganizationLife = Pick<Organization, "organizationId" | "organizationUid">;

/** A write that fails when this life of the organization has ended, or is being deleted. */
export const stillLives = ({ workspace }: WorkspaceRef, { organizationId, organizationUid }: OrganizationLife) =>
  organizationEntity.update({ workspace, organizationId }, {}, { organizationUid, deletionJobId: undefined });

/** The stored items in the order of `ids`, including organizations that are being deleted. */
export async function getStored({ workspace }: WorkspaceRef, ids: readonly string[]) {
  return Table.getMany<Organization>(
    ids.map((organizationId) => organizationEntity.key({ workspace, organizationId })),
  );
}

/** As `Table.getMany`, for items of one organization. It finds no item while the organization is being deleted. */
export async function getManyOf<T>(
  { workspace, organizationId }: OrganizationRef,
  keys: readonly Key[],
): Promise<(T | undefined)[]> {
  if (keys.length === 0) return [];
  const [items, [organization]] = await Promise.all([
    Table.getMany<T>(keys),
    getStored({ workspace }, [organizationId]),
  ]);
  return isBeingDeleted(organization) ? items.map(() => undefined) : items;
}

/** As `getManyOf`, for one item. */
export async function getOf<T>(organization: OrganizationRef, key: Key): Promise<T | undefined> {
  return (await getManyOf<T>(organization, [key]))[0];
}

/**
 * A mark in the list of months with judgments: their organization is being deleted. A search of the whole workspace
 * reads this list, but no organization's item. The mark stands before the first month of its organization, so a search
 * that does not read all months finds it too.
 */
export const deletionMarkEntity = entity<Pick<OrganizationRef, "organizationId">>()({
  name: "deletion-mark",
  attributes: ["organizationId"],
  pk: ({ workspace }: WorkspaceRef) => `${workspacePartition({ workspace })}#JD`,
  sk: ({ organizationId }: { organizationId: string }) => `${segment(organizationId)}#!`,
});
