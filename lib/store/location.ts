// A location's identity points to a luid, under which its data is kept. Its node says what the location is like, or into
// which other one it was merged: the smaller set goes under the larger, so a way up is short however many were merged.
// Renaming, merging and removing each cost the same whatever is kept there.
import { randomUUID } from "node:crypto";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import type { Location } from "../schema/location.ts";
import { dataKeys } from "./data-keys.ts";

/** A location as its node has it, with what its identity points to. */
export interface StoredLocation {
  luid: string;
  identity: string;
  location: Location;
  /** Locations that became this one by merging, itself included. */
  size: number;
  /** Changes with every write, which so depends on what was read. */
  rev: string;
}

/** The object as JSON: the table could not hold every number and every depth of it. */
type Node = Omit<StoredLocation, "location"> & { location?: string; into?: string };
export type LocationPointer = Pick<StoredLocation, "luid" | "size">;

/** A document's data, by workspace and uid. */
type Place = readonly [workspace: string, uid: string];

export async function pointer(...[workspace, uid, identity]: [...Place, string]) {
  return Table.get<LocationPointer>(dataKeys.location(workspace, uid, identity));
}

/** In the order of `identities`; undefined where there is no such location, or where it changes at this moment. */
export async function getMany([workspace, uid]: Place, identities: readonly string[]) {
  const wanted = identities.map((identity) => dataKeys.location(workspace, uid, identity));
  const found = await Table.getMany<LocationPointer>(wanted);
  const nodes = await Promise.all(found.map(async (each) => each && getNode([workspace, uid], each.luid)));
  return nodes.map((node, index) => {
    if (node?.location === undefined || node.identity !== identities[index]) return undefined;
    return { ...node, location: JSON.parse(node.location) as Location } satisfies StoredLocation;
  });
}

async function getNode([workspace, uid]: Place, luid: string): Promise<Node | undefined> {
  return Table.get<Node>(dataKeys.locationNode(workspace, uid, luid));
}

/** What a location is like now, whatever it was merged into; undefined: it is gone. */
export async function current(place: Place, luid: string): Promise<Location | undefined> {
  const node = await getNode(place, luid);
  if (node?.into !== undefined) return current(place, node.into);
  return node?.location === undefined ? undefined : (JSON.parse(node.location) as Location);
}

/** The luids whose data is this location's: its own first, then those merged into it, and so on. */
export async function members(
  [workspace, uid]: Place,
  { luid, size }: Pick<StoredLocation, "luid" | "size">,
): Promise<string[]> {
  if (size === 1) return [luid];
  const { pk, sk } = dataKeys.merged(workspace, uid, luid, "");
  const merged = (await Array.fromAsync(Table.all<LocationPointer>({ pk, beginsWith: sk }))).flat();
  return [luid, ...(await Promise.all(merged.map((each) => members([workspace, uid], each)))).flat()];
}

/** Its conditions are lost where the location exists. */
export function creation([workspace, uid]: Place, identity: string, location: Location) {
  const luid = randomUUID();
  const node = { luid, identity, location: JSON.stringify(location), size: 1, rev: randomUUID() };
  const writes: Write[] = [
    { put: { ...dataKeys.location(workspace, uid, identity), luid, size: 1 }, if: "absent" },
    { put: { ...dataKeys.locationNode(workspace, uid, luid), ...node } },
  ];
  return { luid, writes };
}

/** Writes the object anew, where nothing else has changed the location. */
export function rewriting(place: Place, stored: StoredLocation, location: Location): Write[] {
  return [nodeUpdate(place, stored, { location: JSON.stringify(location) })];
}

/** Gives the location another identity, where that is free. */
export function renaming(place: Place, stored: StoredLocation, identity: string, location: Location): Write[] {
  const { luid, size } = stored;
  const [workspace, uid] = place;
  return [
    { delete: dataKeys.location(workspace, uid, stored.identity), if: { luid } },
    { put: { ...dataKeys.location(workspace, uid, identity), luid, size }, if: "absent" },
    nodeUpdate(place, stored, { identity, location: JSON.stringify(location) }),
  ];
}

/** Makes one location of two, under the identity of `to`. */
export function merging(place: Place, from: StoredLocation, to: StoredLocation, location: Location): Write[] {
  const [workspace, uid] = place;
  const { identity } = to;
  const [root, other] = from.size > to.size ? [from, to] : [to, from];
  const size = from.size + to.size;
  const merged = { luid: other.luid, size: other.size };
  return [
    { delete: dataKeys.location(workspace, uid, from.identity), if: { luid: from.luid } },
    { put: { ...dataKeys.location(workspace, uid, identity), luid: root.luid, size }, if: { luid: to.luid } },
    nodeUpdate(place, root, { identity, location: JSON.stringify(location), size }),
    { ...nodeUpdate(place, other, { into: root.luid }), remove: ["identity", "location"] },
    { put: { ...dataKeys.merged(workspace, uid, root.luid, other.luid), ...merged } },
  ];
}

function nodeUpdate([workspace, uid]: Place, { luid, rev }: StoredLocation, set: object) {
  const key = dataKeys.locationNode(workspace, uid, luid);
  return { update: key, set: { ...set, rev: randomUUID() }, if: { rev } };
}

/** Takes the location away; what is kept under its luid is the purge's. */
export function removal([workspace, uid]: Place, identity: string, { luid }: LocationPointer): Write[] {
  return [
    { delete: dataKeys.location(workspace, uid, identity), if: { luid } },
    { delete: dataKeys.locationNode(workspace, uid, luid) },
  ];
}
