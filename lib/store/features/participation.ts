// The feature data in which a user takes part, by kind, in the order in which the items were first written.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { type FeatureKind, featureKinds } from "../../schema/feature-kinds.ts";
import { type LocationDataRef, type LocationUid, organizationPartition, type UserRef } from "../refs.ts";

/**
 * An entry of a participant of one item. It can stay after the participation ends: entries of former participants can
 * be deleted after the item has changed.
 */
export interface Participation extends Pick<LocationDataRef, "documentUid" | "locationUid"> {
  kind: FeatureKind;
  id: string;
}

interface ParticipationSortRef {
  /** When the item was first written, ISO 8601. */
  at: string;
  locationUid: LocationUid;
  id: string;
}

export const participationEntity = entity<Participation>()({
  name: "participation",
  attributes: ["documentUid", "locationUid", "kind", "id"],
  pk: ({ kind, ...ref }: UserRef & { kind: FeatureKind }) =>
    `${organizationPartition(ref)}#UP#${segment(ref.userId)}#${kind}`,
  sk: ({ at, locationUid, id }: ParticipationSortRef) => `${at}#${locationUid}#${segment(id)}`,
});

/** One partition for each kind. */
export const participationPartitions = (user: UserRef): string[] =>
  featureKinds.map((kind) => participationEntity.partition({ ...user, kind }));
