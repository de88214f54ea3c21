// Finds feature data by its id (DECISIONS.md#ids-of-feature-data). Items of a deleted location do not exist any more,
// purged or not.
import type { CommentAnnotation } from "../schema/features.ts";
import * as Feature from "../store/features/feature.ts";
import * as FeatureList from "../store/features/feature-list.ts";
import type { DocumentDataRef, LocationUid } from "../store/refs.ts";
import { type Liveness, newLiveness } from "./liveness.ts";

/** An id with its stored item. */
export interface FoundFeature<Name extends Feature.FeatureName> {
  feature: Name;
  /** The id as read; undefined: it is free. */
  named: FeatureList.FeatureId | undefined;
  /** The item; undefined: none of the given locations has it. */
  stored: Feature.StoredFeature | undefined;
  /** An item with the id is in another location than the given ones. */
  isElsewhere: boolean;
}

/** The items, in the order of `features`. `among`: only items of these locations; undefined: of all locations. */
export async function findFeatures<Name extends Feature.FeatureName>(
  document: DocumentDataRef,
  features: readonly Name[],
  among?: readonly LocationUid[],
): Promise<FoundFeature<Name>[]> {
  const names = await FeatureList.placesOf(document, features);
  const live = newLiveness(document);
  const places = await Promise.all(
    names.map(async (named) => (named ? livePlace(document, live, named, among) : undefined)),
  );
  const isOwn = places.map((place) => place !== undefined && (among?.includes(place) ?? true));
  const wanted = features.flatMap(({ kind, id }, index) =>
    isOwn[index] ? [{ ...document, locationUid: places[index] as LocationUid, kind, id }] : [],
  );
  const stored = (await Feature.getMany(document, wanted)).values();
  return features.map((feature, index) => ({
    feature,
    named: names[index],
    stored: isOwn[index] ? stored.next().value : undefined,
    isElsewhere: places[index] !== undefined && !isOwn[index],
  }));
}

/** The comment annotations of these ids, by id, as they are stored now, and their characters together. */
export async function findAnnotations(
  document: DocumentDataRef,
  ids: readonly string[],
): Promise<{ annotations: Map<string, CommentAnnotation>; characters: number }> {
  const found = await findFeatures(
    document,
    [...new Set(ids)].map((id) => ({ kind: "comments", id }) as const),
  );
  const records = found.flatMap(({ feature, stored }) => (stored ? [[feature.id, stored.record] as const] : []));
  return {
    annotations: new Map(records.map(([id, record]) => [id, JSON.parse(record)])),
    characters: records.reduce((sum, [, { length }]) => sum + length, 0),
  };
}

/** The location that has the item. Undefined: it was deleted. */
async function livePlace(
  { documentUid }: DocumentDataRef,
  live: Liveness,
  { locationUid }: FeatureList.FeatureId,
  among: readonly LocationUid[] = [],
): Promise<LocationUid | undefined> {
  if (among.includes(locationUid)) return locationUid;
  return (await live.location({ documentUid, locationUid })) && locationUid;
}
