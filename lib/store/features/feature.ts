// Feature data of a location. One transaction writes an item, its entry in the list of the document (`feature-list.ts`)
// and its participants' entries (`participation.ts`). It also deletes the entries of former participants. When it has no
// room for that, it stores a list of them instead, and `deleteFormerEntries` deletes them later.
import { randomUUID } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Condition, Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import type { FeatureKind } from "../../schema/feature-kinds.ts";
import { locationDataPartition } from "../content/location.ts";
import type { Descendants, LocationDataRef, OrganizationRef, WorkspaceRef } from "../refs.ts";
import * as FeatureList from "./feature-list.ts";
import { participationEntity } from "./participation.ts";

export interface FeatureName {
  kind: FeatureKind;
  id: string;
}

/** An item, and the organization whose users take part in it. */
export type FeatureRef = LocationDataRef & OrganizationRef & FeatureName;

/** The fields from which the keys of the participants' entries follow. */
interface Participants extends Omit<FeatureRef, keyof WorkspaceRef> {
  participants: string[];
  /** When the item was first written, ISO 8601. */
  at: string;
}

export interface StoredFeature extends Participants {
  /** The item as given, as JSON: DynamoDB limits the precision of numbers and the depth of nesting. */
  record: string;
  /** Its place in the document's list. It never changes. */
  position: string;
  /** When it was last written, ISO 8601. */
  writtenAt: string;
  /** Changes with every write, so that a write can have the version that was read as its condition. */
  rev: string;
  /** Entries of former participants are still to be deleted. */
  hasFormer?: boolean;
}

const participantsAttributes = [
  "organizationId",
  "documentUid",
  "locationUid",
  "kind",
  "id",
  "participants",
  "at",
] as const;

export const featureEntity = entity<StoredFeature>()({
  name: "feature",
  attributes: [...participantsAttributes, "record", "position", "writtenAt", "rev", "hasFormer"],
  pk: (ref: LocationDataRef) => locationDataPartition(ref),
  sk: ({ kind, id }: FeatureName) => `${kind}#${segment(id)}`,
});

export const formerParticipantsEntity = entity<Participants>()({
  name: "former-participants",
  attributes: participantsAttributes,
  pk: (ref: LocationDataRef) => locationDataPartition(ref),
  sk: ({ kind, id }: FeatureName) => `${kind}#${segment(id)}#FORMER`,
});

/** Most participants' entries that change in one transaction. 16 of its 100 writes are for jobs with events. */
const entriesMax = 80;

/** The participants' entries of an item, its entry in the list and its id. */
export const featureDescendants = (item: StoredFeature & WorkspaceRef): Descendants => ({
  items: [FeatureList.featureEntryEntity.key(item), ...participationKeys(item)],
  // The id can have been added again at another location.
  conditional: [FeatureList.featureIdEntity.delete(item, placeOf(item))],
});

/** The participants' entries of a list of former participants. */
export const formerParticipantsDescendants = (item: Participants & WorkspaceRef): Descendants => ({
  items: participationKeys(item),
});

const participationKeys = (item: Participants & WorkspaceRef) =>
  item.participants.map((userId) => participationEntity.key({ ...item, userId }));

const placeOf = ({ locationUid, position }: FeatureList.FeaturePlace) => ({ locationUid, position });

export async function getMany(
  { workspace }: WorkspaceRef,
  names: readonly (Omit<LocationDataRef, "workspace"> & FeatureName)[],
) {
  return Table.getMany<StoredFeature>(names.map((name) => featureEntity.key({ ...name, workspace })));
}

/** The item as a call gives it. `at`: when it is written, ISO 8601. */
type Given = Pick<StoredFeature, "record" | "participants" | "at">;

/** The writes that add an item. `former`: its id as read, which names a deleted location. */
export function creation(ref: FeatureRef, given: Given, former?: FeatureList.FeatureId) {
  const position = FeatureList.positionOf(given.record, given.at);
  const { writes, next } = changing(ref, given, { position, at: given.at }, "absent");
  const named = { id: ref.id, ...placeOf(next) };
  return {
    writes: [...writes, FeatureList.featureIdEntity.put(ref, named, former ? placeOf(former) : "absent")],
    next,
  };
}

/** The writes that replace `stored`. A condition fails when the item has changed since `stored` was read. */
export function replacing(ref: FeatureRef, given: Given, stored: StoredFeature) {
  return changing(ref, given, stored, { rev: stored.rev });
}

function changing(
  ref: FeatureRef,
  { record, participants, at: writtenAt }: Given,
  before: Pick<StoredFeature, "position" | "at"> & Partial<StoredFeature>,
  condition: Condition,
): { writes: Write[]; next: StoredFeature } {
  const { organizationId, documentUid, locationUid, kind, id } = ref;
  const { position, at, participants: former = [] } = before;
  const added = participants.filter((each) => !former.includes(each));
  const removed = former.filter((each) => !participants.includes(each));
  const hasFormer = added.length + removed.length > entriesMax;
  const name = { organizationId, documentUid, locationUid, kind, id, at };
  const content = { participants, record, position, writtenAt, rev: randomUUID() };
  const next = { ...name, ...content, ...(hasFormer && { hasFormer }) };
  const participationOf = (userId: string) => ({ ...ref, at, userId });
  const writes: Write[] = [
    featureEntity.put(ref, next, condition),
    FeatureList.featureEntryEntity.put({ ...ref, position }, FeatureList.entryOf(next)),
    ...added.map((userId) => participationEntity.put(participationOf(userId), { documentUid, locationUid, kind, id })),
    ...(hasFormer
      ? [formerParticipantsEntity.put(ref, { ...name, participants: removed })]
      : removed.map((userId) => participationEntity.delete(participationOf(userId)))),
  ];
  return { writes, next };
}

/**
 * The writes that delete an item. `named`: its id as read. A condition fails when one of them has changed. The entries
 * of former participants must be deleted first.
 */
export function removal({ workspace }: WorkspaceRef, stored: StoredFeature, named?: FeatureList.FeatureId): Write[] {
  const ref = { ...stored, workspace };
  const { documentUid, locationUid, kind, id } = stored;
  const { featureEntryEntity, featureIdEntity } = FeatureList;
  const idRef = { workspace, documentUid, kind, id };
  return [
    featureEntity.delete(ref, { rev: stored.rev }),
    featureEntryEntity.delete(ref),
    ...stored.participants.map((userId) => participationEntity.delete({ ...ref, userId })),
    // The id can have been added again at another location.
    ...(named?.locationUid === locationUid ? [featureIdEntity.delete(idRef, placeOf(named))] : []),
  ];
}

/**
 * Deletes the entries of former participants. Writes nothing when the item has changed meanwhile: the call that
 * changed it also calls this.
 */
export async function deleteFormerEntries({ workspace }: WorkspaceRef, stored: StoredFeature): Promise<void> {
  const ref = { ...stored, workspace };
  const former = await Table.get<Participants>(formerParticipantsEntity.key(ref));
  const removed = (former?.participants ?? []).filter((each) => !stored.participants.includes(each));
  await writeAll([
    featureEntity.update(ref, { set: { rev: randomUUID() }, remove: ["hasFormer"] }, { rev: stored.rev }),
    ...removed.map((userId) => participationEntity.delete({ ...ref, userId })),
    formerParticipantsEntity.delete(ref),
  ]);
}
