import { Choice } from "../components/fields.tsx";
import { type Locations, textsOfLocations } from "./location.ts";

interface LocationChoiceProps {
  locations: Locations;
  /** The identity of a location. Empty: all. */
  value: string;
  onValue: (value: string) => void;
}

/** The places of the document that have comments. */
export function LocationChoice({ locations, value, onValue }: LocationChoiceProps) {
  if (locations.size < 2) return null;
  return (
    <Choice
      label="Place"
      isLabelHidden
      value={value}
      onValue={onValue}
      options={[["", "All places"], ...textsOfLocations(locations)]}
    />
  );
}
