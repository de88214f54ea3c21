// From format 2 to 3: each item of feature data gets an entry in the list of its document, and its id gets a place. Format
// 2 permitted one id in several locations of a document.
import type { Item } from "../dynamodb/key.ts";
import {
  entryOf,
  type FeatureId,
  featureEntryEntity,
  featureIdEntity,
  type ListedFeature,
  positionOf,
} from "./feature-list.ts";

/** The item with its entry and its id. Items with one id share the item of the id. */
export function withEntry(item: Item): Item[] {
  if (item.position !== undefined) return [item];
  const { record, at } = item as unknown as { record: string; at: string };
  const listed = { ...item, position: positionOf(record, at), writtenAt: at };
  const entry = entryOf(listed as unknown as ListedFeature);
  const { locationUid, position, id } = entry;
  const { pk: ofLocation } = item;
  // The item does not name its workspace. Its document's partition is its own without the location.
  const pk = ofLocation.slice(0, -`#L#${locationUid}`.length);
  const ref = { workspace: "", ...entry };
  const named = { id, places: [{ locationUid, position }] };
  return [listed, { ...featureEntryEntity.put(ref, entry).put, pk }, { ...featureIdEntity.put(ref, named).put, pk }];
}

/** So the item of an id stays far below DynamoDB's 400 KB. */
const placesMax = 2_000;

/** What remains of an id that several locations have: its places in all of them. */
export function withPlaces(moved: Item, present: Item): Item {
  if (moved.entity !== featureIdEntity.name) return moved;
  const all = [present, moved].flatMap((item) => (item as unknown as FeatureId).places);
  const places = [...new Map(all.map((place) => [place.locationUid, place])).values()].slice(0, placesMax);
  return { ...present, places };
}
