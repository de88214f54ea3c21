// Adds feature data to a location. An item with a known id is replaced where it is stored: in the location itself or in
// a location that was merged into it. The entries of its participants keep their order.
import { isDeepStrictEqual } from "node:util";
import { notedSteps } from "../call.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import type { NamedUnit } from "../dynamodb/write-each.ts";
import { commitEach } from "../jobs/commit.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { identityOf, type Location } from "../schema/location.ts";
import * as LocationStore from "../store/content/location.ts";
import * as LocationChanges from "../store/content/location-changes.ts";
import * as Owner from "../store/content/owner.ts";
import * as Feature from "../store/features/feature.ts";
import type { LocationUid } from "../store/refs.ts";
import type { FoundDocument } from "./find-document.ts";
import { findFeatures } from "./find-features.ts";

/** An item to add, with its participants and its events. */
export interface NewFeature extends Feature.FeatureName {
  record: string;
  participants: string[];
  /** The events of the addition. `previous`: the record that the item replaces. */
  eventsAfter(previous: string | undefined): DomainEvent[];
}

/**
 * `elsewhere`: another location of the document has an item with this id, so nothing was written. `taken`: the location
 * has an item with this id, and the caller may not replace it.
 */
export type Outcome = "added" | "replaced" | "unchanged" | "elsewhere" | "taken";

export async function addFeatures(
  document: FoundDocument,
  location: Location,
  features: readonly NewFeature[],
  { replaces = true } = {},
): Promise<Map<NewFeature, Outcome>> {
  const identity = identityOf(location);
  const [known, owner] = await Promise.all([membersOf(document, identity), Owner.get(document)]);
  if (!owner) await Owner.name(document, document);
  const at = new Date().toISOString();
  const noted = await notedSteps();
  const nameOf = new Map(features.map((feature, index) => [feature, String(index)]));
  const outcome = new Map<NewFeature, Outcome>();
  let members = known;
  return retryOnConflict("feature data", async () => {
    members ??= await membersOf(document, identity);
    const missing = members ? undefined : LocationChanges.creation(document, identity, location);
    const locationUids = members ?? [];
    const rest = features.filter((each) => !outcome.has(each));
    const found = await findFeatures(document, rest, locationUids);
    if (found.some(({ isElsewhere }) => isElsewhere)) {
      // Another call can have added the location since it was read. Then the item can be in this location.
      const now = await membersOf(document, identity);
      if (!isDeepStrictEqual(now, members)) {
        members = now;
        return conflict;
      }
    }
    await Promise.all(found.map(({ stored }) => deleteFormerEntries(stored)));
    const units = found.flatMap(({ feature, stored, named, isElsewhere }) => {
      const name = nameOf.get(feature) as string;
      const earlier = noted.get(name) as Outcome | undefined;
      if (earlier) outcome.set(feature, earlier);
      else if (isElsewhere) outcome.set(feature, "elsewhere");
      else if (isEqual(stored, feature, replaces ? asWritten : withoutTimes)) outcome.set(feature, "unchanged");
      else if (stored && !replaces) outcome.set(feature, "taken");
      if (outcome.has(feature) || stored?.hasFormer) return [];
      const locationUid = stored?.locationUid ?? ((missing?.locationUid ?? locationUids[0]) as LocationUid);
      const ref = { ...document, locationUid, kind: feature.kind, id: feature.id };
      const given = { ...feature, at };
      const written = stored ? Feature.replacing(ref, given, stored) : Feature.creation(ref, given, named);
      const events = feature.eventsAfter(stored?.record);
      const step = { name, outcome: stored ? "replaced" : "added" } as const;
      return [{ ...written, feature, step, events, eventCharacters: JSON.stringify(events).length }];
    });
    const written = await write(units, missing?.writes);
    for (const { feature, step } of written) outcome.set(feature, step.outcome);
    await Promise.all(written.map(({ next }) => deleteFormerEntries(next)));
    return outcome.size < features.length ? conflict : outcome;
  });

  async function deleteFormerEntries(stored: Feature.StoredFeature | undefined): Promise<void> {
    if (stored?.hasFormer) await Feature.deleteFormerEntries(document, stored);
  }
}

/** Returns the units that are written. `creation`: the writes that create their location, if it is missing. */
async function write<U extends NamedUnit & { events: DomainEvent[] }>(units: U[], creation?: Write[]): Promise<U[]> {
  const commitUnits = async (some: U[]) => {
    const isWritten = await commitEach(some, (done) => ({ events: done.flatMap(({ events }) => events) }));
    return some.filter((_, index) => isWritten[index]);
  };
  const [first, ...others] = units;
  if (!creation || !first) return commitUnits(units);
  // The location is created with its first item. So no empty location is left when another call takes the item's id.
  const begun = await commitUnits([{ ...first, writes: [...creation, ...first.writes] }]);
  return begun.length > 0 ? [...begun, ...(await commitUnits(others))] : [];
}

type Compared = Record<string, unknown> & { comments?: Compared[] };

const isEqual = (
  stored: Feature.StoredFeature | undefined,
  { record }: NewFeature,
  compared: (record: Compared) => Compared,
) =>
  stored !== undefined &&
  (stored.record === record || isDeepStrictEqual(compared(JSON.parse(stored.record)), compared(JSON.parse(record))));

const asWritten = (record: Compared) => record;

/** A call that replaces nothing is a user's. It does not send times, so a repeated call has others. */
function withoutTimes({ createdAt: _, comments, ...rest }: Compared): Compared {
  return { ...rest, ...(comments && { comments: comments.map(withoutTimes) }) };
}

/** The internal ids of the location's data. New items get the first one. Undefined: there is no such location. */
async function membersOf(document: FoundDocument, identity: string): Promise<LocationUid[] | undefined> {
  const pointer = await LocationStore.pointer(document, identity);
  return pointer && LocationStore.members(document, pointer);
}
