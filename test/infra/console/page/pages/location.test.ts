import { expect, test } from "vitest";
import {
  identityOf,
  type Location,
  locationCalled,
  textsOfLocations,
} from "../../../../../infra/console/page/pages/location.ts";

const all: Location[] = [
  { id: "chart-1", locationName: "Chart" },
  { id: "chart-2", locationName: "Chart" },
  { id: "intro", locationName: "Introduction" },
  { id: "page-3" },
  { locationName: "Summary" },
  { id: "end", locationName: "Summary" },
];
const locations = new Map(all.map((each) => [identityOf(each), each]));

test("a name stands for a location, with the id where another has the same name", () => {
  const texts = ["Chart (chart-1)", "Chart (chart-2)", "Introduction", "page-3", "Summary", "Summary (end)"];
  expect([...textsOfLocations(locations).values()]).toEqual(texts);
  expect(texts.map((text) => locationCalled(locations, text))).toEqual(all);
});

test("a name that no location has is that of a new one, and one that several have is refused", () => {
  expect(locationCalled(locations, "Chart 3")).toEqual({ locationName: "Chart 3" });
  expect(() => locationCalled(locations, "Chart")).toThrow("Several places have the name “Chart”.");
});
