// Places in a document. The API lists no locations, so the page knows those whose threads it has shown.
import { useRef } from "preact/hooks";
import { ApiFailure } from "../api.ts";
import { textsOf } from "./named-choices.ts";

export interface Location {
  id?: string;
  locationName?: string;
  [field: string]: unknown;
}

/** By identity. */
export type Locations = ReadonlyMap<string, Location>;

/** A place in a document, as people call it. */
export function locationText({ id, locationName }: Location): string {
  return String(locationName ?? id ?? "");
}

/** A location is identified by its id, or by its name if it has none. The identity is JSON that the API understands. */
export const identityOf = ({ id, locationName }: Location): string =>
  JSON.stringify(id === undefined ? { locationName } : { id });

/** The locations of these threads and of those that were shown before, also with another filter. */
export function useLocations(items: readonly { location: Location }[] = []): Locations {
  const seen = useRef(new Map<string, Location>());
  for (const { location } of items) seen.current.set(identityOf(location), location);
  return seen.current;
}

/** By identity, the text that stands for it: the name, with the id if others have the same name. */
export function textsOfLocations(locations: Locations): Map<string, string> {
  const idIn = (identity: string, { id }: Location) => String(id ?? identity);
  const all = [...locations];
  const texts = textsOf(all.map(([identity, each]) => ({ id: idIn(identity, each), name: locationText(each) })));
  // Without an id, the name is what identifies it.
  const textOf = ([identity, each]: [string, Location]) =>
    (each.id === undefined ? undefined : texts.get(idIn(identity, each))) ?? locationText(each);
  return new Map(all.map((entry) => [entry[0], textOf(entry)]));
}

/** The location that a text stands for, or a new one with this name. Fails if several have the name. */
export function locationCalled(locations: Locations, text: string): Location {
  const [identity = ""] = [...textsOfLocations(locations)].find(([, each]) => each.trim() === text) ?? [];
  const found = locations.get(identity);
  if (found) return found;
  if ([...locations.values()].some((each) => locationText(each).trim() === text))
    throw new ApiFailure("AMBIGUOUS", `Several places have the name “${text}”. Choose one that is offered.`);
  return { locationName: text };
}
