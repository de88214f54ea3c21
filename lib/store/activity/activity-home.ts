// The place of an activity's content. While a client's activity waits for its record, the content is at its id.
// Otherwise the content is at the record.
import type { Write } from "../../dynamodb/write.ts";
import { getManyOf } from "../content/organization-life.ts";
import type { OrganizationRef } from "../refs.ts";
import {
  type ActivityContent,
  activityChainEntity,
  activityEntity,
  activityIdEntity,
  type ChainHead,
  type ClientActivity,
  isOwnId,
  type StoredActivity,
  sequenceIn,
} from "./activity.ts";
import type { WaitingRecord } from "./activity-list.ts";

export interface ActivityHome extends ActivityContent {
  activityId: string;
  /** Has a sequence number if the chain has the record. */
  record: WaitingRecord;
  /** A client added it. */
  isClients: boolean;
}

/** The name of an activity: its sequence number, if an event caused it, else its id. */
export interface ActivityName {
  sequence?: number | undefined;
  activityId?: string | undefined;
}

/** The contents in the order of `names`; undefined where there is none. */
export async function getMany(
  organization: OrganizationRef,
  names: readonly ActivityName[],
): Promise<(ActivityHome | undefined)[]> {
  const clients = await clientActivities(
    organization,
    names.flatMap(({ activityId }) => activityId ?? []),
  );
  const sequences = names.map((name) => name.sequence ?? clients.get(name.activityId ?? "")?.sequence);
  const stored = await records(organization, sequences);
  return names.map(({ activityId }, index) => {
    const activity = stored[index];
    if (activity) return homeOf(activity, activityId !== undefined);
    const client = activityId === undefined ? undefined : clients.get(activityId);
    return client?.waiting === undefined ? undefined : waitingHome(client, client.waiting);
  });
}

/** The activities with these ids, in their order; undefined where there is none. */
export async function find(
  organization: OrganizationRef,
  ids: readonly string[],
): Promise<{ homes: (ActivityHome | undefined)[]; head: ChainHead | undefined }> {
  const key = activityChainEntity.key(organization);
  const [clients, [head]] = await Promise.all([
    clientActivities(organization, ids),
    ids.some(isOwnId) ? getManyOf<ChainHead>(organization, [key]) : [],
  ]);
  const names = ids.map((activityId): ActivityName => {
    if (clients.has(activityId)) return { activityId };
    return { sequence: head && sequenceIn(activityId, head.chain) };
  });
  return { homes: await getMany(organization, names), head };
}

/** The write that changes the content. The condition fails if it has changed, or has moved to its record. */
export function changing(
  organization: OrganizationRef,
  { activityId, record: { sequence }, edits }: ActivityHome,
  change: { set: ActivityContent; remove: ("texts" | "present")[] },
): Write {
  const changes = { ...change, set: { ...change.set, edits: (edits ?? 0) + 1 } };
  const unchanged = { edits, isDeleted: undefined };
  return sequence === undefined
    ? activityIdEntity.update({ ...organization, activityId }, changes, { ...unchanged, sequence: undefined })
    : activityEntity.update({ ...organization, sequence }, changes, { ...unchanged, sequence });
}

async function clientActivities(organization: OrganizationRef, ids: readonly string[]) {
  const keys = ids.map((activityId) => activityIdEntity.key({ ...organization, activityId }));
  const found = await getManyOf<ClientActivity>(organization, keys);
  return new Map(found.flatMap((each, index) => (each ? [[ids[index] as string, each] as const] : [])));
}

/** The activities in the order of `sequences`; undefined where there is none. */
async function records(organization: OrganizationRef, sequences: readonly (number | undefined)[]) {
  const wanted = [...new Set(sequences.filter((sequence) => sequence !== undefined))];
  const keys = wanted.map((sequence) => activityEntity.key({ ...organization, sequence }));
  const found = await getManyOf<StoredActivity>(organization, keys);
  const bySequence = new Map(wanted.map((sequence, index) => [sequence, found[index]]));
  return sequences.map((sequence) => (sequence === undefined ? undefined : bySequence.get(sequence)));
}

function homeOf(activity: StoredActivity, isClients: boolean): ActivityHome | undefined {
  const record = JSON.parse(activity.record) as WaitingRecord;
  // The records of updates and deletions are not activities of their own.
  if (record.target !== undefined) return undefined;
  return { ...activityEntity.attributesOf(activity), activityId: record.activityId, record, isClients };
}

function waitingHome(activity: ClientActivity, waiting: string): ActivityHome {
  const record = JSON.parse(waiting) as WaitingRecord;
  return { ...activityIdEntity.attributesOf(activity), activityId: record.activityId, record, isClients: true };
}
