// Adds feature data to a location. An id that the location has already is replaced, wherever among the locations that
// became this one it is kept, and stays where it was in the histories.

import * as Table from "../dynamodb/table.ts";
import { ApiError } from "../errors.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { identityOf, type Location } from "../schema/location.ts";
import * as Feature from "../store/feature.ts";
import * as LocationStore from "../store/location.ts";
import * as Owner from "../store/owner.ts";
import type { FoundDocument } from "./find-document.ts";

/** An item to be added, with what follows from it. */
export interface NewFeature extends Feature.FeatureName {
  record: string;
  participants: string[];
  /** Its events, given the item that it replaces. */
  eventsAfter(previous: string | undefined): DomainEvent[];
}

/** A round is lost only to a change of the same items or of their location. */
const roundsMax = 10;
const busy = () => new ApiError("UNAVAILABLE", "The same data is being changed. Try again.");

/** Answers for each whether it was new. */
export async function addFeatures(
  document: FoundDocument,
  location: Location,
  features: readonly NewFeature[],
): Promise<Map<NewFeature, "added" | "replaced">> {
  const [luids] = await Promise.all([
    luidsOf(document, location),
    Owner.name(document.workspace, document.uid, document),
  ]);
  const at = new Date().toISOString();
  const outcome = new Map<NewFeature, "added" | "replaced">();
  for (let round = 0; outcome.size < features.length; round++) {
    if (round === roundsMax) throw busy();
    const rest = features.filter((each) => !outcome.has(each));
    const found = await previousOf(document, luids, rest);
    await Promise.all(found.map(({ place, feature, stored }) => stored?.hasFormer && drop(place, feature, stored)));
    const units = found
      .filter(({ stored }) => !stored?.hasFormer)
      .map(({ place, feature, stored }) => {
        const events = feature.eventsAfter(stored?.record);
        const written = Feature.writing(place, feature, { ...feature, at }, stored);
        return { ...written, place, feature, stored, events, eventCharacters: JSON.stringify(events).length };
      });
    const isWritten = await Table.commitEach(units, (done) => ({ events: done.flatMap(({ events }) => events) }));
    const written = units.filter((_, index) => isWritten[index]);
    for (const { feature, stored } of written) outcome.set(feature, stored ? "replaced" : "added");
    await Promise.all(written.map(({ place, feature, next }) => next.hasFormer && drop(place, feature, next)));
  }
  return outcome;

  function drop(place: Feature.FeaturePlace, feature: NewFeature, stored: Feature.StoredFeature): Promise<void> {
    return Feature.dropFormer(place, feature, stored);
  }
}

/** Under what the location's data is kept, the place of new items first. The location is created where it is missing. */
async function luidsOf({ workspace, uid }: FoundDocument, location: Location): Promise<string[]> {
  const place = [workspace, uid] as const;
  const identity = identityOf(location);
  for (let round = 0; round < roundsMax; round++) {
    const pointer = await LocationStore.pointer(workspace, uid, identity);
    if (pointer) return LocationStore.members(place, pointer);
    const creation = LocationStore.creation(place, identity, location);
    if (await Table.commit(creation.writes)) return [creation.luid];
  }
  throw busy();
}

/** Each item with what is stored under its id, and where. */
async function previousOf(
  { workspace, organizationId, uid }: FoundDocument,
  luids: readonly string[],
  features: readonly NewFeature[],
) {
  const names = luids.flatMap((luid) => features.map(({ kind, id }) => ({ uid, luid, kind, id })));
  const found = await Feature.getMany(workspace, names);
  return features.map((feature, index) => {
    const member = luids.findIndex((_, each) => found[each * features.length + index]);
    const luid = luids[Math.max(member, 0)] as string;
    const stored = member < 0 ? undefined : found[member * features.length + index];
    return { feature, stored, place: { workspace, organizationId, uid, luid } };
  });
}
