// Adds feature data to a location. An item with a known id is replaced where it is stored: in the location itself or in
// one that was merged into it. The entries of its participants keep their order.
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { invalidField } from "../errors.ts";
import { commit, commitEach } from "../jobs/commit.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { identityOf, type Location } from "../schema/location.ts";
import * as Feature from "../store/feature.ts";
import * as LocationStore from "../store/location.ts";
import * as LocationChanges from "../store/location-changes.ts";
import * as Owner from "../store/owner.ts";
import type { LocationUid } from "../store/refs.ts";
import type { FoundDocument } from "./find-document.ts";

/** Keys of one call, each a unit. An item can be in its own location, or in any that was merged into it. */
const keysMax = 10_000;

/** An item to add, with its participants and its events. */
export interface NewFeature extends Feature.FeatureName {
  record: string;
  participants: string[];
  /** The events of adding it. `previous`: the record that it replaces. */
  eventsAfter(previous: string | undefined): DomainEvent[];
}

/** Returns for each item whether it was added or replaced another. */
export async function addFeatures(
  document: FoundDocument,
  location: Location,
  features: readonly NewFeature[],
): Promise<Map<NewFeature, "added" | "replaced">> {
  const [locationUids, owner] = await Promise.all([ensureLocation(document, location), Owner.get(document)]);
  checkCount(locationUids.length, features.length);
  if (!owner) await Owner.name(document, document);
  const at = new Date().toISOString();
  const outcome = new Map<NewFeature, "added" | "replaced">();
  return retryOnConflict("feature data", async () => {
    const rest = features.filter((each) => !outcome.has(each));
    const found = await previousOf(document, locationUids, rest);
    await Promise.all(found.map(({ stored }) => deleteFormerEntries(stored)));
    const units = found
      .filter(({ stored }) => !stored?.hasFormer)
      .map(({ ref, feature, stored }) => {
        const events = feature.eventsAfter(stored?.record);
        const written = Feature.writing(ref, { ...feature, at }, stored);
        return { ...written, feature, stored, events, eventCharacters: JSON.stringify(events).length };
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

function checkCount(locations: number, items: number): void {
  if (locations * items <= keysMax) return;
  const itemsMax = Math.floor(keysMax / locations);
  throw invalidField(["location"], `Consists of ${locations} merged locations: send at most ${itemsMax} items.`);
}

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

/** Returns each item with its stored version, if any, and the key to write to. */
async function previousOf(
  { workspace, organizationId, documentUid }: FoundDocument,
  locationUids: readonly LocationUid[],
  features: readonly NewFeature[],
) {
  const names = locationUids.flatMap((locationUid) =>
    features.map(({ kind, id }) => ({ documentUid, locationUid, kind, id })),
  );
  const found = await Feature.getMany({ workspace }, names);
  return features.map((feature, index) => {
    const { kind, id } = feature;
    const stored = locationUids
      .map((_, member) => found[member * features.length + index])
      .find((each) => each !== undefined);
    const locationUid = stored?.locationUid ?? (locationUids[0] as LocationUid);
    return { feature, stored, ref: { workspace, organizationId, documentUid, locationUid, kind, id } };
  });
}
