// Activities that clients add. Such an activity is readable at once. It waits at its id until the writer has put its
// record into the chain.
import * as Table from "../../dynamodb/table.ts";
import { anyValue, type Write } from "../../dynamodb/write.ts";
import type { Descendants, OrganizationRef, WorkspaceRef } from "../refs.ts";
import { type ActivityContent, activityIdEntity, type ClientActivity } from "./activity.ts";
import type { ActivityEntry, LoggedAddition, WaitingActivity } from "./activity-entry.ts";
import { listing, listKeys, type WaitingRecord } from "./activity-list.ts";

/** The writes that add an activity. Their condition fails if the id is taken. `actor`: the id of the user who acted. */
export function creation(
  organization: OrganizationRef,
  record: WaitingRecord,
  content: ActivityContent,
  actor: string,
): Write[] {
  const { activityId } = record;
  const stored = { waiting: JSON.stringify(record), ...content };
  return [
    activityIdEntity.put({ ...organization, activityId }, stored, "absent"),
    ...listing(organization, record, actor, true),
  ];
}

/** The activities among these that wait for their records, by id. */
export async function waiting(
  organization: OrganizationRef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ClientActivity>> {
  const keys = ids.map((activityId) => activityIdEntity.key({ ...organization, activityId }));
  const found = await Table.getMany<ClientActivity>(keys);
  return new Map(found.flatMap((each, index) => (each?.waiting ? [[ids[index] as string, each] as const] : [])));
}

/** The write that leaves only the sequence number. The condition fails if the activity has changed since it was read. */
export function moving(
  organization: OrganizationRef,
  activityId: string,
  { edits }: ClientActivity,
  sequence: number,
): Write {
  const remove = ["waiting", "texts", "present", "updatedAt", "edits", "isDeleted", "causedBy"] as const;
  const unchanged = { edits, waiting: anyValue };
  return activityIdEntity.update({ ...organization, activityId }, { set: { sequence }, remove }, unchanged);
}

/** The items that the additions of an entry have written. */
export function entryDescendants({ workspace, events }: ActivityEntry & WorkspaceRef): Descendants {
  const added = (JSON.parse(events) as WaitingActivity[]).flatMap(({ type, data }) =>
    type === "activity.add" ? [data as LoggedAddition] : [],
  );
  const items = added.flatMap(({ actionUserId, ...record }) => {
    const organization = { workspace, organizationId: record.organizationId };
    const { activityId } = record;
    const keys = listKeys(organization, { ...record, content: {} }, actionUserId, true);
    return [...keys, activityIdEntity.key({ ...organization, activityId })];
  });
  return { items };
}
