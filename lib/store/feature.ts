// Feature data of a location. An item is written together with its participants' entries (`participation.ts`). Entries
// of former participants are deleted in the same transaction when it has room; else an item beside it lists them first.
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

/** What leads to the entries of an item's participants. */
interface Participants extends Omit<FeatureRef, "workspace"> {
  participants: string[];
  /** When the item was first written, ISO 8601. */
  at: string;
}

export interface StoredFeature extends Participants {
  /** The shape as given, as JSON: the table cannot hold every number and every depth of it. */
  record: string;
  /** Changes with every write, so that a write can depend on what was read. */
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

/** Entries that change in one transaction: with the item and one list they fit one unit. */
const entriesMax = 90;

/** The participants' entries; of an item and of a list of former participants alike. */
export const featureDescendants = (item: Participants & WorkspaceRef): Descendants => ({
  items: item.participants.map((userId) => participationEntity.key({ ...item, userId })),
});

export async function getMany(
  { workspace }: WorkspaceRef,
  names: readonly (Omit<LocationDataRef, "workspace"> & FeatureName)[],
) {
  return Table.getMany<StoredFeature>(names.map((name) => featureEntity.key({ ...name, workspace })));
}

/** The writes of one item over what was read of it. A condition fails when the item has changed since. */
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
 * Deletes the entries of former participants. Nothing is written when the item has changed: its next write comes here.
 */
export async function deleteFormerEntries({ workspace }: WorkspaceRef, stored: StoredFeature): Promise<void> {
  const ref = { ...stored, workspace };
  const former = await Table.get<Participants>(formerParticipantsEntity.key(ref));
  const gone = (former?.participants ?? []).filter((each) => !stored.participants.includes(each));
  await commit([
    featureEntity.update(ref, { set: { rev: randomUUID() }, remove: ["hasFormer"] }, { rev: stored.rev }),
    ...gone.map((userId) => participationEntity.delete({ ...ref, userId })),
    formerParticipantsEntity.delete(ref),
  ]);
}
