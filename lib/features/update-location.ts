// Updates a location: its fields or its identity, or merges it into another location
// (DECISIONS.md#location-identity).
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { ApiError, beyondLimit, invalidField } from "../errors.ts";
import { commit } from "../jobs/commit.ts";
import { identityOf, isTooLarge, type Location } from "../schema/location.ts";
import * as LocationStore from "../store/content/location.ts";
import * as LocationChanges from "../store/content/location-changes.ts";
import type { FoundDocument } from "./find-document.ts";

interface LocationUpdate {
  oldLocation: Location;
  newLocation: Location;
  merge: boolean;
}

/** A call that adds data looks for each of its items in all merged locations. */
const mergedMax = 500;

/** Throws ALREADY_EXISTS if another location has the new identity and `merge` is false. */
export async function updateLocation(document: FoundDocument, update: LocationUpdate): Promise<void> {
  const { workspace, organizationId, documentId } = document;
  const { oldLocation, newLocation, merge } = update;
  const oldIdentity = identityOf(oldLocation);
  // With `merge`, fields that the new object lacks are kept, an `id` included.
  const identity = identityOf(merge ? { ...oldLocation, ...newLocation } : newLocation);
  const identities = identity === oldIdentity ? [identity] : [oldIdentity, identity];
  await retryOnConflict("location", async () => {
    const [old, target] = await LocationStore.getMany(document, identities);
    if (target && !merge) throw new ApiError("ALREADY_EXISTS", "The new location exists already.");
    if (old && target && old.size + target.size > mergedMax) throw tooMany();
    const base = target?.location ?? old?.location ?? oldLocation;
    const location = merge ? { ...base, ...newLocation } : newLocation;
    if (isTooLarge(location)) throw invalidField(["migrate", "newLocation"], "Is over 16,384 bytes after the merge.");
    const data = { oldLocation: old?.location ?? oldLocation, newLocation: location };
    const event = { type: "location.update" as const, workspace, organizationId, documentId, data };
    return (await commit(writesFor(old, target, location), { events: [event] })) ? undefined : conflict;
  });

  function writesFor(
    old: LocationStore.StoredLocation | undefined,
    target: LocationStore.StoredLocation | undefined,
    location: Location,
  ): Write[] {
    if (old && target) return LocationChanges.merging(document, old, target, location);
    if (target) return LocationChanges.rewriting(document, target, location);
    if (!old) return LocationChanges.creation(document, identity, location).writes;
    if (identity === oldIdentity) return LocationChanges.rewriting(document, old, location);
    return LocationChanges.renaming(document, old, identity, location);
  }
}

function tooMany(): ApiError {
  return beyondLimit(`At most ${mergedMax} locations can be merged into one.`);
}
