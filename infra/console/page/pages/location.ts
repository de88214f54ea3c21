import type { Annotation } from "../types.ts";

/** A place in a document, as people call it. */
export function locationText({ id, locationName }: Annotation["location"]): string {
  return String(locationName ?? id ?? "");
}
