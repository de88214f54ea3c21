// The writes that change a document's locations (`location.ts`). A condition fails when a location has changed since it
// was read.
import { randomUUID } from "node:crypto";
import type { Write } from "../../dynamodb/write.ts";
import type { Location } from "../../schema/location.ts";
import { type DocumentDataRef, newLocationUid } from "../refs.ts";
import {
  type LocationNode,
  type LocationPointer,
  locationEntity,
  locationNodeEntity,
  mergedLocationEntity,
  type StoredLocation,
} from "./location.ts";

/** The writes that create a location. A condition fails when the identity is taken. */
export function creation(document: DocumentDataRef, identity: string, location: Location) {
  const { documentUid } = document;
  const locationUid = newLocationUid();
  const node = { documentUid, locationUid, identity, location: JSON.stringify(location), size: 1, rev: randomUUID() };
  const writes: Write[] = [
    locationEntity.put({ ...document, identity }, { locationUid, size: 1 }, "absent"),
    locationNodeEntity.put({ ...document, locationUid }, node),
  ];
  return { locationUid, writes };
}

/** The writes that replace the location's object. The condition fails when the location has changed. */
export function rewriting(document: DocumentDataRef, stored: StoredLocation, location: Location): Write[] {
  return [nodeUpdate(document, stored, { location: JSON.stringify(location) })];
}

/** The writes that give the location another identity. A condition fails when that identity is taken. */
export function renaming(
  document: DocumentDataRef,
  stored: StoredLocation,
  identity: string,
  location: Location,
): Write[] {
  const { locationUid, size } = stored;
  return [
    locationEntity.delete({ ...document, identity: stored.identity }, { locationUid }),
    locationEntity.put({ ...document, identity }, { locationUid, size }, "absent"),
    nodeUpdate(document, stored, { identity, location: JSON.stringify(location) }),
  ];
}

/**
 * The writes that merge two locations into one with the identity of `to`. The smaller location points to the larger
 * one, so the chain from a merged location to the current location stays short.
 */
export function merging(
  document: DocumentDataRef,
  from: StoredLocation,
  to: StoredLocation,
  location: Location,
): Write[] {
  const { documentUid } = document;
  const { identity } = to;
  const [root, other] = from.size > to.size ? [from, to] : [to, from];
  const { locationUid } = root;
  const size = from.size + to.size;
  return [
    locationEntity.delete({ ...document, identity: from.identity }, { locationUid: from.locationUid }),
    locationEntity.put({ ...document, identity }, { locationUid, size }, { locationUid: to.locationUid }),
    nodeUpdate(document, root, { identity, location: JSON.stringify(location), size }),
    nodeUpdate(document, other, { into: locationUid }, ["identity", "location"]),
    mergedLocationEntity.put(
      { ...document, locationUid, mergedUid: other.locationUid },
      { documentUid, locationUid: other.locationUid, size: other.size },
    ),
  ];
}

function nodeUpdate(
  document: DocumentDataRef,
  { locationUid, rev }: StoredLocation,
  set: Partial<LocationNode>,
  remove?: readonly (keyof LocationNode)[],
): Write {
  const changes = { set: { ...set, rev: randomUUID() }, ...(remove && { remove }) };
  return locationNodeEntity.update({ ...document, locationUid }, changes, { rev });
}

/** The writes that delete a location. The purge deletes its data. */
export function removal(document: DocumentDataRef, identity: string, { locationUid }: LocationPointer): Write[] {
  return [
    locationEntity.delete({ ...document, identity }, { locationUid }),
    locationNodeEntity.delete({ ...document, locationUid }),
  ];
}
