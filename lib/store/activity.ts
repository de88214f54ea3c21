// The activity log of an organization: its records, the head of their chain, and lists of them by time, document, user
// and event type. One writer an organization appends records (`activity/append.ts`).
import { type ChainRecord, canonicalJson, type Texts } from "../activity/chain.ts";
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import type { Descendants } from "./descendants.ts";
import { type OrganizationRef, organizationPartition, type WorkspaceRef } from "./refs.ts";

/** The last record of a chain. */
export interface ChainHead {
  /** The chain's id. A new one for each life of an organization. */
  chain: string;
  /** The number of records. */
  sequence: number;
  /** Of the last record, hex. */
  hash: string;
}

export const activityChainEntity = entity<ChainHead>()({
  name: "activity-chain",
  attributes: { chain: true, sequence: true, hash: true },
  pk: (ref: OrganizationRef) => organizationPartition(ref),
  sk: () => "ACTIVITIES",
});

export interface StoredActivity {
  sequence: number;
  /** The record as JSON, as it was hashed. */
  record: string;
  /** Hex. */
  hash: string;
  /** The texts with their salts, as JSON. Absent: none, or all erased. */
  texts?: string | undefined;
  /** `x-request-id` of the call that caused the event. */
  causedBy?: string | undefined;
}

/** The digits of a sequence number in a sort key. */
const sequenceDigits = 12;
const sequenceKey = (sequence: number) => String(sequence).padStart(sequenceDigits, "0");

export const activityEntity = entity<StoredActivity>()({
  name: "activity",
  attributes: { sequence: true, record: true, hash: true, texts: true, causedBy: true },
  pk: (ref: OrganizationRef) => `${organizationPartition(ref)}#ACT`,
  sk: ({ sequence }: { sequence: number }) => sequenceKey(sequence),
});

/** The id of an activity that an event caused. It has the sequence number, so no pointer to the record is needed. */
export const idOf = (chain: string, sequence: number) => `act_${sequenceKey(sequence)}_${chain.slice(0, 8)}`;

/** The id of an activity that a client gave, unique in its organization. */
export const activityIdEntity = entity<{ sequence: number }>()({
  name: "activity-id",
  attributes: { sequence: true },
  pk: (ref: OrganizationRef & { activityId: string }) =>
    `${organizationPartition(ref)}#ACTID#${segment(ref.activityId)}`,
  sk: () => "ID",
});

/** The lists of a log: of all activities, and of those of one document, acting user or event type. */
export type ActivityList = { by: "time" } | { by: "document" | "user" | "type"; of: string };

/** An activity in a list. It names no user, except by the list that it is in. */
export interface ListedActivity {
  sequence: number;
  documentId?: string | undefined;
  eventType: string;
}

const listSegments = { time: "A", document: "D", user: "U", type: "E" } as const;

export const nameOfList = (list: ActivityList): string =>
  listSegments[list.by] + (list.by === "time" ? "" : `#${segment(list.of)}`);

export const listedActivityEntity = entity<ListedActivity>()({
  name: "listed-activity",
  attributes: { sequence: true, documentId: true, eventType: true },
  pk: ({ listName, ...organization }: OrganizationRef & { listName: string }) =>
    `${organizationPartition(organization)}#ACTS#${listName}`,
  sk: ({ createdAt, sequence }: { createdAt: string; sequence: number }) => `${createdAt}#${sequenceKey(sequence)}`,
});

/** An activity to append. `actor`: the id of the user who acted. */
export interface NewActivity {
  record: ChainRecord;
  /** Hex. */
  hash: string;
  texts: Texts;
  actor?: string | undefined;
  causedBy?: string | undefined;
}

/** The lists that an activity is in. */
const listsOf = ({ documentId, eventType }: ChainRecord, actor?: string): ActivityList[] => [
  { by: "time" },
  { by: "type", of: eventType },
  ...(documentId === undefined ? [] : [{ by: "document", of: documentId } as const]),
  ...(actor === undefined ? [] : [{ by: "user", of: actor } as const]),
];

/** The entries of an activity in the lists. */
export function activityDescendants({ workspace, record: json, texts }: StoredActivity & WorkspaceRef): Descendants {
  const record = JSON.parse(json) as ChainRecord;
  const { organizationId, createdAt, sequence, activityId } = record;
  const { actionUser } = JSON.parse(texts ?? "{}") as Texts;
  const actor = actionUser && (JSON.parse(actionUser.text) as { userId: string }).userId;
  const organization = { workspace, organizationId };
  const lists = listsOf(record, actor);
  const listed = lists.map((list) =>
    listedActivityEntity.key({ ...organization, listName: nameOfList(list), createdAt, sequence }),
  );
  return { items: [...listed, activityIdEntity.key({ ...organization, activityId })] };
}

/** The writes that append an activity: its record, and one entry for each list. At most five. */
export function appending(organization: OrganizationRef, activity: NewActivity): Write[] {
  const { record, hash, texts, actor, causedBy } = activity;
  const { sequence, documentId, eventType, createdAt } = record;
  const stored = { sequence, record: canonicalJson(record), hash, texts: JSON.stringify(texts), causedBy };
  const listed = { sequence, documentId, eventType };
  const lists = listsOf(record, actor);
  return [
    activityEntity.put({ ...organization, sequence }, stored, "absent"),
    ...lists.map((list) =>
      listedActivityEntity.put({ ...organization, listName: nameOfList(list), createdAt, sequence }, listed),
    ),
  ];
}

export async function head(organization: OrganizationRef): Promise<ChainHead | undefined> {
  return Table.get<ChainHead>(activityChainEntity.key(organization));
}

/** The records up to this sequence number, in their order. */
export function pages(organization: OrganizationRef, upTo: number): AsyncGenerator<StoredActivity[]> {
  return Table.all<StoredActivity>({ pk: activityEntity.partition(organization), upTo: sequenceKey(upTo) });
}

/** The write that moves the head from `before` to `after`. Its condition fails when another writer was faster. */
export function moving(organization: OrganizationRef, before: ChainHead | undefined, after: ChainHead): Write {
  if (!before) return activityChainEntity.put(organization, after, "absent");
  const { chain, sequence, hash } = before;
  return activityChainEntity.update(organization, { set: after }, { chain, sequence, hash });
}
