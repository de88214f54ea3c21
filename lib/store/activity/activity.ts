// The activity log of an organization: its records, and the head of their chain. One writer at a time appends records
// (`activity/append.ts`).
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { type OrganizationRef, organizationPartition } from "../refs.ts";
import { type ChainRecord, canonicalJson, type Texts } from "./activity-chain.ts";

/** The last record of a chain. */
export interface ChainHead {
  /** The chain's id. A new one for each life of an organization. */
  chain: string;
  /** The number of records. */
  sequence: number;
  /** The hash of the last record, hex. */
  hash: string;
  /** The lists have the records up to this one. */
  listed: number;
  /** The number of the last change of the log's setting that the chain has recorded, or began after. */
  setting: number;
}

export const activityChainEntity = entity<ChainHead>()({
  name: "activity-chain",
  attributes: ["chain", "sequence", "hash", "listed", "setting"],
  pk: (ref: OrganizationRef) => organizationPartition(ref),
  sk: () => "ACTIVITIES",
});

/** The content of an activity. It can be changed, while its record stays. */
export interface ActivityContent {
  /** The texts that the record has the hashes of, with their salts, as JSON. Absent: none, or all removed. */
  texts?: string | undefined;
  /** The texts of updates, with their salts, as JSON. Each text replaces a text that was removed from `texts`. */
  present?: string | undefined;
  /** When it was last updated, ISO 8601. */
  updatedAt?: string | undefined;
  /** Counts the changes. Every change of texts raises it, on the condition that it is as it was read. */
  edits?: number | undefined;
  isDeleted?: true | undefined;
  /** `x-request-id` of the call that caused the activity. */
  causedBy?: string | undefined;
}

const contentAttributes = ["texts", "present", "updatedAt", "edits", "isDeleted", "causedBy"] as const;

export interface StoredActivity extends ActivityContent {
  sequence: number;
  /** The record as JSON, as it was hashed. */
  record: string;
  /** Hex. */
  hash: string;
}

/** The digits of a sequence number in a sort key. */
const sequenceDigits = 12;
export const sequenceKey = (sequence: number) => String(sequence).padStart(sequenceDigits, "0");

export const activityEntity = entity<StoredActivity>()({
  name: "activity",
  attributes: ["sequence", "record", "hash", ...contentAttributes],
  pk: (ref: OrganizationRef) => `${organizationPartition(ref)}#ACT`,
  sk: ({ sequence }: { sequence: number }) => sequenceKey(sequence),
});

/** The id of a record that has no id of a client. It has the sequence number, so no pointer to the record is needed. */
export const idOf = (chain: string, sequence: number) => `act_${sequenceKey(sequence)}_${chain.slice(0, 8)}`;

/** The sequence number in such an id, if it is of this chain. */
export function sequenceIn(activityId: string, chain: string): number | undefined {
  const sequence = Number(/^act_(\d{12})_/.exec(activityId)?.[1]);
  return sequence > 0 && activityId === idOf(chain, sequence) ? sequence : undefined;
}

/** Whether an id has the form of the ids that `idOf` returns, of any chain. */
export const isOwnId = (activityId: string) => /^act_\d{12}_.{8}$/.test(activityId);

/** An activity that a client added: it waits here for its record, and then points to it. */
export interface ClientActivity extends ActivityContent {
  /** Absent while it waits. */
  sequence?: number;
  /** While it waits: its record without chain and sequence, as JSON. */
  waiting?: string;
}

export const activityIdEntity = entity<ClientActivity>()({
  name: "activity-id",
  attributes: ["sequence", "waiting", ...contentAttributes],
  pk: (ref: OrganizationRef & { activityId: string }) =>
    `${organizationPartition(ref)}#ACTID#${segment(ref.activityId)}`,
  sk: () => "ID",
});

/** The id of the user who acted, as far as the texts say. */
export function actorIn({ texts }: Pick<ActivityContent, "texts">): string | undefined {
  const { actionUser } = JSON.parse(texts ?? "{}") as Texts;
  return actionUser && (JSON.parse(actionUser.text) as { userId: string }).userId;
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

/** The write that notes that the lists have all records up to this head. */
export const listedUpTo = (organization: OrganizationRef, { chain, sequence }: ChainHead): Write =>
  activityChainEntity.update(organization, { set: { listed: sequence } }, { chain, sequence });

/** The write that puts a record into the chain. */
export const recording = (
  organization: OrganizationRef,
  { record, hash, ...content }: ActivityContent & { record: ChainRecord; hash: string },
): Write => {
  const { sequence } = record;
  return activityEntity.put(
    { ...organization, sequence },
    { sequence, record: canonicalJson(record), hash, ...content },
    "absent",
  );
};

/** The records after `above` up to `upTo`. */
export async function between(organization: OrganizationRef, above: number, upTo: number): Promise<StoredActivity[]> {
  const range = [sequenceKey(above + 1), sequenceKey(upTo)] as const;
  return Table.every<StoredActivity>({ pk: activityEntity.partition(organization), between: range });
}
