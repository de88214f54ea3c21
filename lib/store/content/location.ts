// A location's identity points to an internal id, under which the location's data is stored. A node for each internal
// id has the location's object, or names the location into which it was merged. The cost of a rename, merge or removal
// does not depend on the amount of data.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Location } from "../../schema/location.ts";
import {
  type Descendants,
  type DocumentDataRef,
  documentDataPartition,
  type LocationDataRef,
  type LocationUid,
  type WorkspaceRef,
} from "../refs.ts";

/** A location as stored, with its identity. */
export interface StoredLocation {
  locationUid: LocationUid;
  identity: string;
  location: Location;
  /** The number of locations that were merged into this one, plus one for itself. */
  size: number;
  /** Changes with every write, so that a write can have the version that was read as its condition. */
  rev: string;
}

export type LocationPointer = Pick<StoredLocation, "locationUid" | "size">;

export type LocationNode = Pick<StoredLocation, "locationUid" | "size" | "rev"> &
  Pick<LocationDataRef, "documentUid"> & {
    /** Absent after the location was merged into another one. */
    identity?: string;
    /** The object as JSON: DynamoDB limits the precision of numbers and the depth of nesting. */
    location?: string;
    /** The location into which this one was merged. */
    into?: LocationUid;
  };

type MergedLocation = LocationPointer & Pick<LocationDataRef, "documentUid">;

/** The feature data of one location. */
export const locationDataPartition = (ref: LocationDataRef) => `${documentDataPartition(ref)}#L#${ref.locationUid}`;

export const locationEntity = entity<LocationPointer>()({
  name: "location",
  attributes: ["locationUid", "size"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "LOCATION#",
  sk: ({ identity }: { identity: string }) => segment(identity),
});

export const locationNodeEntity = entity<LocationNode>()({
  name: "location-node",
  attributes: ["documentUid", "locationUid", "identity", "location", "size", "rev", "into"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "L#",
  sk: ({ locationUid }: { locationUid: LocationUid }) => locationUid,
});

export const mergedLocationEntity = entity<MergedLocation>()({
  name: "merged-location",
  attributes: ["documentUid", "locationUid", "size"],
  pk: (ref: LocationDataRef) => locationDataPartition(ref),
  prefix: "MERGED#",
  sk: ({ mergedUid }: { mergedUid: LocationUid }) => mergedUid,
});

/** The location's data. */
export const locationNodeDescendants = ({
  workspace,
  documentUid,
  locationUid,
}: LocationNode & WorkspaceRef): Descendants => ({
  partitions: [locationDataPartition({ workspace, documentUid, locationUid })],
});

/** The node and the data of the other location. */
export function mergedLocationDescendants(merged: MergedLocation & WorkspaceRef): Descendants {
  const { workspace, documentUid, locationUid } = merged;
  const ref = { workspace, documentUid, locationUid };
  return { partitions: [locationDataPartition(ref)], items: [locationNodeEntity.key(ref)] };
}

export async function pointer(document: DocumentDataRef, identity: string) {
  return Table.get<LocationPointer>(locationEntity.key({ ...document, identity }));
}

/** The locations in the order of `identities`; undefined if there is none, or if it changes between the two reads. */
export async function getMany(document: DocumentDataRef, identities: readonly string[]) {
  const wanted = identities.map((identity) => locationEntity.key({ ...document, identity }));
  const found = await Table.getMany<LocationPointer>(wanted);
  const nodes = await Promise.all(
    found.map(async (each) => each && getNode({ ...document, locationUid: each.locationUid })),
  );
  return nodes.map((node, index): StoredLocation | undefined => {
    if (node?.location === undefined || node.identity === undefined) return undefined;
    const { locationUid, identity, size, rev } = node;
    if (identity !== identities[index]) return undefined;
    return { locationUid, identity, location: JSON.parse(node.location) as Location, size, rev };
  });
}

async function getNode(ref: LocationDataRef): Promise<LocationNode | undefined> {
  return Table.get<LocationNode>(locationNodeEntity.key(ref));
}

/** The current object of the location, or of the one into which it was merged; undefined when it is deleted. */
export async function current(ref: LocationDataRef): Promise<Location | undefined> {
  const node = await getNode(ref);
  if (node?.into !== undefined) return current({ ...ref, locationUid: node.into });
  return node?.location === undefined ? undefined : (JSON.parse(node.location) as Location);
}

/** The internal ids whose data belongs to this location: first its own, then those of locations merged into it. */
export async function members(document: DocumentDataRef, location: LocationPointer): Promise<LocationUid[]> {
  const { locationUid, size } = location;
  if (size === 1) return [locationUid];
  const merged = await Table.every<MergedLocation>(mergedLocationEntity.range({ ...document, locationUid }));
  return [locationUid, ...(await Promise.all(merged.map((each) => members(document, each)))).flat()];
}
