// Feature data of a location. One transaction writes an item and its participants' entries (`participation.ts`). It
// also deletes the entries of former participants. When it has no room for that, it stores a list of them instead, and
// `deleteFormerEntries` deletes them later.
import { randomUUID } from "node:crypto";
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { commit } from "../jobs/commit.ts";
import type { FeatureKind } from "../schema/feature-kinds.ts";
import type { Descendants } from "./descendants.ts";
import { locationDataPartition } from "./location.ts";
import { participationEntity } from "./participation.ts";
import type { LocationDataRef, OrganizationRef, WorkspaceRef } from "./refs.ts";

export interface FeatureName {
  kind: FeatureKind;
  id: string;
}

/** An item, and the organization whose users take part in it. */
export type FeatureRef = LocationDataRef & OrganizationRef & FeatureName;

/** The fields from which the keys of the participants' entries follow. */
interface Participants extends Omit<FeatureRef, "workspace"> {
  participants: string[];
  /** When the item was first written, ISO 8601. */
  at: string;
}

export interface StoredFeature extends Participants {
  /** The item as given, as JSON: DynamoDB limits the precision of numbers and the depth of nesting. */
  record: string;
  /** Changes with every write, so that a write can have the version that was read as its condition. */
  rev: string;
  /** Entries of former participants are still to be deleted. */
  hasFormer?: boolean;
}

const participantsAttributes = {
  organizationId: true,
  documentUid: true,
  locationUid: true,
  kind: true,
  id: true,
  participants: true,
  at: true,
} as const;

export const featureEntity = entity<StoredFeature>()({
  name: "feature",
  attributes: { ...participantsAttributes, record: true, rev: true, hasFormer: true },
  pk: (ref: LocationDataRef) => locationDataPartition(ref),
  sk: ({ kind, id }: FeatureName) => `${kind}#${segment(id)}`,
});

export const formerParticipantsEntity = entity<Participants>()({
  name: "former-participants",
  attributes: participantsAttributes,
  pk: (ref: LocationDataRef) => locationDataPartition(ref),
  sk: ({ kind, id }: FeatureName) => `${kind}#${segment(id)}#FORMER`,
});

/** Most entries that change in one transaction. With the item and one list, they fit one unit. */
const entriesMax = 90;

/** The participants' entries, both of an item and of a list of former participants. */
export const featureDescendants = (item: Participants & WorkspaceRef): Descendants => ({
  items: item.participants.map((userId) => participationEntity.key({ ...item, userId })),
});

export async function getMany(
  { workspace }: WorkspaceRef,
  names: readonly (Omit<LocationDataRef, "workspace"> & FeatureName)[],
) {
  return Table.getMany<StoredFeature>(names.map((name) => featureEntity.key({ ...name, workspace })));
}

/** The writes that replace `stored`. A condition fails when the item has changed since `stored` was read. */
export function writing(
  ref: FeatureRef,
  { record, participants, at }: Pick<StoredFeature, "record" | "participants" | "at">,
  stored: StoredFeature | undefined,
): { writes: Write[]; next: StoredFeature } {
  const { organizationId, documentUid, locationUid, kind, id } = ref;
  const added = participants.filter((each) => !stored?.participants.includes(each));
  const removed = (stored?.participants ?? []).filter((each) => !participants.includes(each));
  const hasFormer = added.length + removed.length > entriesMax;
  const name = { organizationId, documentUid, locationUid, kind, id, at: stored?.at ?? at };
  const next = { ...name, participants, record, rev: randomUUID(), ...(hasFormer && { hasFormer }) };
  const participationOf = (userId: string) => ({ ...ref, at: name.at, userId });
  const writes: Write[] = [
    featureEntity.put(ref, next, stored ? { rev: stored.rev } : "absent"),
    ...added.map((userId) => participationEntity.put(participationOf(userId), { documentUid, locationUid, kind, id })),
    ...(hasFormer
      ? [formerParticipantsEntity.put(ref, { ...name, participants: removed })]
      : removed.map((userId) => participationEntity.delete(participationOf(userId)))),
  ];
  return { writes, next };
}

/**
 * Deletes the entries of former participants. Writes nothing when the item has changed meanwhile: the call that
 * changed it also calls this.
 */
export async function deleteFormerEntries({ workspace }: WorkspaceRef, stored: StoredFeature): Promise<void> {
  const ref = { ...stored, workspace };
  const former = await Table.get<Participants>(formerParticipantsEntity.key(ref));
  const removed = (former?.participants ?? []).filter((each) => !stored.participants.includes(each));
  await commit([
    featureEntity.update(ref, { set: { rev: randomUUID() }, remove: ["hasFormer"] }, { rev: stored.rev }),
    ...removed.map((userId) => participationEntity.delete({ ...ref, userId })),
    formerParticipantsEntity.delete(ref),
  ]);
}
