// Events that wait for the writer of the activity log. They are written in the transaction of their change, so an event
// is recorded if and only if its change is written. They are sharded by call, since one partition takes only 1,000
// writes a second.
import { entity } from "../../dynamodb/entity.ts";
import { allShards, segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import { anyValue, type Write } from "../../dynamodb/write.ts";
import type { EventType } from "../../schema/events.ts";
import { type OrganizationRef, organizationPartition } from "../refs.ts";

/** Changes of the log by a call: the activities of clients, and changes of any activity. */
export const logChanges = ["activity.add", "activity.update", "activity.delete"] as const;
export type LogChange = (typeof logChanges)[number];

/** The part of an addition that the purge needs to find the activity and its entries in the lists. */
export interface LoggedAddition {
  activityId: string;
  organizationId: string;
  documentId?: string | undefined;
  eventType: string;
  createdAt: string;
  actionUserId: string;
}
export interface LoggedEdit {
  activityId: string;
  /** In an update: the salted hashes of the new texts. */
  content?: Record<string, string>;
}

/** An event, or a change of the log. */
export interface WaitingActivity {
  type: EventType | LogChange;
  documentId?: string | undefined;
  data: object;
}

/** Events of one transaction. */
export interface ActivityEntry {
  /** When the transaction began, ISO 8601. */
  at: string;
  /** Identifies the call. */
  callId: string;
  /** The place of the first of these events among all events of the call. */
  first: number;
  /** The events in their order, as JSON: a list of `WaitingActivity`. */
  events: string;
  /** Number of events that the log has already. Absent: none. */
  done?: number;
  /** `x-request-id` of the call that caused the events. */
  causedBy?: string;
  /** The public id of the auth token of the call. Absent: a job caused the events. */
  authTokenId?: string | undefined;
}

/** More than the places of a call. */
const placeDigits = 12;

/** `nonce`: jobs that one call has caused can run in the same millisecond, and have the same places. */
export const activityEntryEntity = entity<ActivityEntry>()({
  name: "activity-entry",
  attributes: ["at", "callId", "first", "events", "done", "causedBy", "authTokenId"],
  pk: (ref: OrganizationRef, shard) => `${organizationPartition(ref)}#OUT#${shard}`,
  sk: ({ at, callId, first, nonce }: Pick<ActivityEntry, "at" | "callId" | "first"> & { nonce: string }) =>
    `${at}#${segment(callId)}#${String(first).padStart(placeDigits, "0")}#${nonce}`,
  shardBy: ({ callId }) => callId,
});

export type StoredEntry = ActivityEntry & { pk: string; sk: string };

/** Entries of a shard that are read at a time. An entry has up to 300 KB. */
const perShard = 25;

/**
 * The first entries from before `before` (ISO 8601), in the order of the log. `next`: the time of the first entry that is
 * not old enough; undefined: there is none. `hasMore`: further old entries exist.
 */
export async function oldest(organization: OrganizationRef, before: string) {
  const pages = await Promise.all(
    allShards.map((shard) =>
      Table.query<StoredEntry>({ pk: activityEntryEntity.partition(organization, shard), limit: perShard }),
    ),
  );
  // If a page continues, its shard has further entries, which were not read.
  const ends = pages.flatMap(({ next }) => next ?? []).sort();
  const entries = pages
    .flatMap(({ items }) => items)
    .filter(({ sk }) => ends[0] === undefined || sk <= ends[0])
    .sort((one, other) => (one.sk < other.sk ? -1 : 1));
  const old = entries.filter(({ at }) => at < before);
  return { entries: old, hasMore: old.length === entries.length && ends.length > 0, next: entries[old.length]?.at };
}

/** The write that marks the first `done` of `count` events as recorded. It removes an entry without further events. */
export function consuming({ pk, sk, done }: StoredEntry, next: number, count: number): Write {
  const unchanged = { done, at: anyValue };
  if (next === count) return { delete: { pk, sk }, if: unchanged };
  return { update: { pk, sk }, set: { done: next }, if: unchanged };
}
