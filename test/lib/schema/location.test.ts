import { expect, it } from "vitest";
import { Location } from "../../../lib/schema/location.ts";

const asNumber = "As a number, must be between -2^53 and 2^53, without an exponent. Send it as a string.";

it.each<[unknown, string]>([
  ["", "Must have 1 to 256 characters."],
  ["x".repeat(257), "Must have 1 to 256 characters."],
  ["a\nb", "Must not contain control characters."],
  [true, "Must be a string of 1 to 256 characters."],
  [{}, "Must be a string of 1 to 256 characters."],
  [1e21, asNumber],
  [2 ** 53, asNumber],
  [1e-7, asNumber],
])("says what is wrong with the id %j", (id, message) => {
  expect(Location.safeParse({ id, locationName: "Page 1" }).error?.issues).toMatchObject([{ path: ["id"], message }]);
});

it.each([0, -1, 1.5, 2 ** 53 - 1, null, undefined, "1"])("takes the id %j", (id) => {
  expect(Location.safeParse({ id, locationName: "Page 1" }).success).toBe(true);
});
