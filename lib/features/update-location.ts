// Changes a location: its fields, its identity, or which other one it becomes part of (decision C2).
import { callSignal } from "../call.ts";
import { backoff } from "../concurrency.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { ApiError, invalidField } from "../errors.ts";
import { identityOf, isTooLarge, type Location } from "../schema/location.ts";
import * as LocationStore from "../store/location.ts";
import type { FoundDocument } from "./find-document.ts";

/** A round is lost only to another change of the same location. */
const roundsMax = 10;

interface LocationUpdate {
  oldLocation: Location;
  newLocation: Location;
  merge: boolean;
}

/** ALREADY_EXISTS where the new identity is taken and `merge` was not asked for. */
export async function updateLocation(document: FoundDocument, update: LocationUpdate): Promise<void> {
  const { workspace, organizationId, documentId, uid } = document;
  const { oldLocation, newLocation, merge } = update;
  const oldIdentity = identityOf(oldLocation);
  // With `merge`, fields that the new object does not have stay, and so does an id among them.
  const identity = identityOf(merge ? { ...oldLocation, ...newLocation } : newLocation);
  const identities = identity === oldIdentity ? [identity] : [oldIdentity, identity];
  for (let round = 0; round < roundsMax; round++) {
    const [old, target] = await LocationStore.getMany([workspace, uid], identities);
    if (target && !merge) throw new ApiError("ALREADY_EXISTS", "The new location exists already.");
    const base = target?.location ?? old?.location ?? oldLocation;
    const location = merge ? { ...base, ...newLocation } : newLocation;
    if (isTooLarge(location)) throw invalidField(["migrate", "newLocation"], "Merged, it is over 16,384 bytes.");
    const data = { oldLocation: old?.location ?? oldLocation, newLocation: location };
    const event = { type: "location.update" as const, workspace, organizationId, documentId, data };
    if (await Table.commit(writesFor(uid, old, target, location), { events: [event] })) return;
    await backoff(round, callSignal());
  }
  throw new ApiError("UNAVAILABLE", "The location is being changed. Try again.");

  function writesFor(
    uid: string,
    old: LocationStore.StoredLocation | undefined,
    target: LocationStore.StoredLocation | undefined,
    location: Location,
  ): Write[] {
    const place = [workspace, uid] as const;
    if (old && target) return LocationStore.merging(place, old, target, location);
    if (target) return LocationStore.rewriting(place, target, location);
    if (!old) return LocationStore.creation(place, identity, location).writes;
    if (identity === oldIdentity) return LocationStore.rewriting(place, old, location);
    return LocationStore.renaming(place, old, identity, location);
  }
}
