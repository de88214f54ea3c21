import { useRef } from "preact/hooks";
import { Choice } from "../components/fields.tsx";
import type { Annotation } from "../types.ts";
import { locationText } from "./location.ts";

interface LocationsProps {
  items: Annotation[] | undefined;
  /** The location as JSON. Empty: all. */
  value: string;
  onValue: (value: string) => void;
}

/** The places of the document that have comments. The API lists no locations, so these are those of the shown threads. */
export function Locations({ items = [], value, onValue }: LocationsProps) {
  const seen = useRef(new Map<string, string>());
  for (const { location } of items) {
    const { id, locationName } = location;
    // A location is identified by its id, or by its name if it has none.
    seen.current.set(JSON.stringify(id === undefined ? { locationName } : { id }), locationText(location));
  }
  if (seen.current.size < 2) return null;
  return (
    <Choice
      label="Location"
      isLabelHidden
      value={value}
      onValue={onValue}
      options={[["", "All locations"], ...seen.current.entries()]}
    />
  );
}
