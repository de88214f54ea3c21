// The users who are being erased (DECISIONS.md#erasure-of-users): for each, the jobs that erase the user. Jobs are added
// and removed one by one, without a condition, so any number of calls can name the same user at once.
import { inParallel } from "../concurrency.ts";
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import { type OrganizationRef, type WorkspaceRef, workspacePartition } from "./refs.ts";

interface BeingErased {
  userId: string;
  /** `<job id>`, or `<job id> <organization id>` for an erasure in one organization. Absent: no job is left. */
  jobs?: Set<string>;
}

/** The users that a job erases; without an organization, in all of them. */
export interface Erasure {
  userIds: string[];
  organizationId?: string | undefined;
}

export const beingErasedEntity = entity<BeingErased>()({
  name: "being-erased",
  attributes: { userId: true, jobs: true },
  pk: (ref: WorkspaceRef, shard) => `${workspacePartition(ref)}#ER#${shard}`,
  sk: ({ userId }: { userId: string }) => segment(userId),
  shardBy: ({ userId }) => userId,
});

const writesInFlight = 16;

const entryOf = (jobId: string, organizationId: string | undefined) =>
  organizationId === undefined ? jobId : `${jobId} ${organizationId}`;

/** Adds the job to each of its users. Safe to repeat. */
export async function add(ref: WorkspaceRef, { userIds, organizationId }: Erasure, jobId: string): Promise<void> {
  const jobs = new Set([entryOf(jobId, organizationId)]);
  await inParallel(userIds, writesInFlight, (userId) =>
    commit([beingErasedEntity.update({ ...ref, userId }, { set: { userId }, add: { jobs } })]),
  );
}

/** Removes the job from each of its users. Safe to repeat. */
export async function remove(ref: WorkspaceRef, { userIds, organizationId }: Erasure, jobId: string): Promise<void> {
  const jobs = new Set([entryOf(jobId, organizationId)]);
  await inParallel(userIds, writesInFlight, async (userId) => {
    await commit([beingErasedEntity.update({ ...ref, userId }, { drop: { jobs } })]);
    await commit([beingErasedEntity.delete({ ...ref, userId }, { jobs: undefined })]);
  });
}

/** For each user who is being erased in the organization, the id of a job that does it. */
export async function jobsOf(
  { workspace, organizationId }: OrganizationRef,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const found = await Table.getMany<BeingErased>(userIds.map((userId) => beingErasedEntity.key({ workspace, userId })));
  const jobOf = (entries: Set<string> = new Set()) =>
    [...entries].map(jobAndScope).find(([, scope]) => scope === undefined || scope === organizationId)?.[0];
  return new Map(found.flatMap((each) => entryIn(each?.userId, jobOf(each?.jobs))));
}

/** The most jobs that erase one of these users now. */
export async function mostJobsOf({ workspace }: WorkspaceRef, userIds: readonly string[]): Promise<number> {
  const found = await Table.getMany<BeingErased>(userIds.map((userId) => beingErasedEntity.key({ workspace, userId })));
  return Math.max(0, ...found.map((each) => each?.jobs?.size ?? 0));
}

function jobAndScope(entry: string): [jobId: string, organizationId?: string] {
  const space = entry.indexOf(" ");
  return space < 0 ? [entry] : [entry.slice(0, space), entry.slice(space + 1)];
}

const entryIn = (userId: string | undefined, jobId: string | undefined): [string, string][] =>
  userId === undefined || jobId === undefined ? [] : [[userId, jobId]];
