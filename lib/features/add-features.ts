// Adds feature data to a location. An item with a known id is replaced where it is stored: in the location itself or in
// one that was merged into it. The entries of its participants keep their order.
import { isDeepStrictEqual } from "node:util";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commit, commitEach } from "../jobs/commit.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { identityOf, type Location } from "../schema/location.ts";
import * as Feature from "../store/feature.ts";
import * as LocationStore from "../store/location.ts";
import * as LocationChanges from "../store/location-changes.ts";
import * as Owner from "../store/owner.ts";
import type { LocationUid } from "../store/refs.ts";
import type { FoundDocument } from "./find-document.ts";
import { findFeatures } from "./find-features.ts";

/** An item to add, with its participants and its events. */
export interface NewFeature extends Feature.FeatureName {
  record: string;
  participants: string[];
  /** The events of adding it. `previous`: the record that it replaces. */
  eventsAfter(previous: string | undefined): DomainEvent[];
}

/** `elsewhere`: another location of the document has an item with this id, so nothing was written. */
export type Outcome = "added" | "replaced" | "unchanged" | "elsewhere";

export async function addFeatures(
  document: FoundDocument,
  location: Location,
  features: readonly NewFeature[],
): Promise<Map<NewFeature, Outcome>> {
  const [locationUids, owner] = await Promise.all([ensureLocation(document, location), Owner.get(document)]);
  if (!owner) await Owner.name(document, document);
  const at = new Date().toISOString();
  const outcome = new Map<NewFeature, Outcome>();
  return retryOnConflict("feature data", async () => {
    const rest = features.filter((each) => !outcome.has(each));
    const found = await findFeatures(document, rest, locationUids);
    await Promise.all(found.map(({ stored }) => deleteFormerEntries(stored)));
    const units = found.flatMap(({ feature, stored, named, isElsewhere }) => {
      if (isElsewhere) outcome.set(feature, "elsewhere");
      else if (isEqual(stored, feature)) outcome.set(feature, "unchanged");
      if (outcome.has(feature) || stored?.hasFormer) return [];
      const locationUid = stored?.locationUid ?? (locationUids[0] as LocationUid);
      const ref = { ...document, locationUid, kind: feature.kind, id: feature.id };
      const given = { ...feature, at };
      const written = stored ? Feature.replacing(ref, given, stored) : Feature.creation(ref, given, named);
      const events = feature.eventsAfter(stored?.record);
      return [{ ...written, feature, stored, events, eventCharacters: JSON.stringify(events).length }];
    });
    const isWritten = await commitEach(units, (done) => ({ events: done.flatMap(({ events }) => events) }));
    const written = units.filter((_, index) => isWritten[index]);
    for (const { feature, stored } of written) outcome.set(feature, stored ? "replaced" : "added");
    await Promise.all(written.map(({ next }) => deleteFormerEntries(next)));
    return outcome.size < features.length ? conflict : outcome;
  });

  async function deleteFormerEntries(stored: Feature.StoredFeature | undefined): Promise<void> {
    if (stored?.hasFormer) await Feature.deleteFormerEntries(document, stored);
  }
}

const isEqual = (stored: Feature.StoredFeature | undefined, { record }: NewFeature) =>
  stored !== undefined &&
  (stored.record === record || isDeepStrictEqual(JSON.parse(stored.record), JSON.parse(record)));

/** The internal ids of the location's data; new items go to the first. Creates the location if it is missing. */
async function ensureLocation(document: FoundDocument, location: Location): Promise<LocationUid[]> {
  const identity = identityOf(location);
  return retryOnConflict("location", async () => {
    const pointer = await LocationStore.pointer(document, identity);
    if (pointer) return LocationStore.members(document, pointer);
    const { writes, locationUid } = LocationChanges.creation(document, identity, location);
    return (await commit(writes)) ? [locationUid] : conflict;
  });
}
