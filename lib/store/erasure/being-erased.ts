// The users who are being erased (DECISIONS.md#erasure-of-users), each with the jobs that erase the user. Jobs are
// added and removed one by one, without a condition, so any number of calls can name the same user at once. The key has
// a hash of the user's id, because the entries of a job that has failed stay until an operator retries it, or until
// they end.
import { hash } from "node:crypto";
import { inParallel } from "../../concurrency.ts";
import { entity } from "../../dynamodb/entity.ts";
import type { Key } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { ttlAfter } from "../../retention.ts";
import { type OrganizationRef, type WorkspaceRef, workspacePartition } from "../refs.ts";

interface BeingErased {
  /** `<job id>`, or `<job id> <organization id>` for an erasure in one organization. Absent: no job is left. */
  jobs?: Set<string>;
  ttl: number;
}

/** The users that a job erases; without an organization, in all organizations. */
export interface Erasure {
  userIds: string[];
  organizationId?: string | undefined;
}

export const beingErasedEntity = entity<BeingErased>()({
  name: "being-erased",
  attributes: ["jobs", "ttl"],
  pk: (ref: WorkspaceRef, shard) => `${workspacePartition(ref)}#ER#${shard}`,
  sk: ({ userHash }: { userHash: string }) => userHash,
  shardBy: ({ userHash }) => userHash,
});

export const keyOf = (ref: WorkspaceRef, userId: string): Key => beingErasedEntity.key(refOf(ref, userId));

const refOf = ({ workspace }: WorkspaceRef, userId: string) => ({
  workspace,
  userHash: hash("sha256", `${workspace}\n${userId}`, "base64url"),
});

const requestsInFlight = 16;

const entryOf = (jobId: string, organizationId: string | undefined) =>
  organizationId === undefined ? jobId : `${jobId} ${organizationId}`;

/** Adds the job to each of its users. Safe to repeat. */
export async function add(ref: WorkspaceRef, { userIds, organizationId }: Erasure, jobId: string): Promise<void> {
  const jobs = new Set([entryOf(jobId, organizationId)]);
  await inParallel(userIds, requestsInFlight, (userId) =>
    writeAll([beingErasedEntity.update(refOf(ref, userId), { set: { ttl: ttlAfter("receipt") }, add: { jobs } })]),
  );
}

/** Removes the job from each of its users. Safe to repeat. */
export async function remove(ref: WorkspaceRef, { userIds, organizationId }: Erasure, jobId: string): Promise<void> {
  const jobs = new Set([entryOf(jobId, organizationId)]);
  await inParallel(userIds, requestsInFlight, async (userId) => {
    await writeAll([beingErasedEntity.update(refOf(ref, userId), { drop: { jobs } })]);
    await writeAll([beingErasedEntity.delete(refOf(ref, userId), { jobs: undefined })]);
  });
}

/**
 * For each user with entries for the organization, or, without one, for all organizations, the ids of the jobs. Some of
 * the jobs can have failed.
 */
export async function jobsOf(
  { workspace, organizationId }: WorkspaceRef & Partial<OrganizationRef>,
  userIds: readonly string[],
): Promise<[userId: string, jobIds: string[]][]> {
  const found = await getMany({ workspace }, userIds);
  return found.flatMap(({ jobs = new Set() }, index): [string, string[]][] => {
    const entries = [...jobs].map(jobAndScope);
    const ids = entries.filter(([, scope]) => scope === undefined || scope === organizationId).map(([jobId]) => jobId);
    return ids.length > 0 ? [[userIds[index] as string, ids]] : [];
  });
}

/** For each of the users, the ids of all jobs that erase the user anywhere. */
export async function allJobsOf(ref: WorkspaceRef, userIds: readonly string[]): Promise<string[][]> {
  return (await getMany(ref, userIds)).map(({ jobs = new Set() }) => [...jobs].map((entry) => jobAndScope(entry)[0]));
}

/** The ids of all jobs that erase users in this organization alone, or, without one, everywhere. */
export async function waitingJobs(ref: WorkspaceRef, organizationId: string | undefined): Promise<Set<string>> {
  const items = await inParallel(beingErasedEntity.partitions(ref), requestsInFlight, (pk) =>
    Table.every<BeingErased>({ pk }),
  );
  const entries = items.flat().flatMap(({ jobs = new Set() }) => [...jobs].map(jobAndScope));
  return new Set(entries.filter(([, scope]) => scope === organizationId).map(([jobId]) => jobId));
}

async function getMany(ref: WorkspaceRef, userIds: readonly string[]): Promise<Pick<BeingErased, "jobs">[]> {
  const found = await Table.getMany<BeingErased>(userIds.map((userId) => keyOf(ref, userId)));
  return found.map((each) => each ?? {});
}

function jobAndScope(entry: string): [jobId: string, organizationId?: string] {
  const space = entry.indexOf(" ");
  return space < 0 ? [entry] : [entry.slice(0, space), entry.slice(space + 1)];
}
