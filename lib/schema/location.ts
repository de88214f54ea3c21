// A location of a document: an object with any fields. It is identified by its `id`, or by its `locationName` if it has
// no `id`. Other fields are stored as given.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { Id, Text } from "./primitives.ts";

/** A copy of the location is in every exported item and in many events. */
const locationBytesMax = 16_384;

export const Location = z.record(z.string(), z.unknown(), mustBeObject).check(
  (context) => {
    const problem = firstProblem(context.value);
    if (!problem) return;
    const { field, message } = problem;
    context.issues.push({ code: "custom", input: context.value, message, ...(field && { path: [field] }) });
  },
  z.describe(
    "Identified by its `id`, or by the string `locationName` when it has no id. The id is a string; a number stands " +
      "for its decimal string. Other fields are kept as given; of a location that exists, only locations/update changes " +
      "them. At most 16,384 bytes as JSON.",
  ),
);
export type Location = z.output<typeof Location>;

/** A location in replies and events. */
export const ShownLocation = z
  .record(z.string(), z.unknown())
  .check(z.describe("The place in the document. It is identified by its `id`, or else by its `locationName`."));

function firstProblem(location: Location): { field?: string; message: string } | undefined {
  const { id, locationName } = asStored(location);
  const wrong = id === undefined ? undefined : Id.safeParse(id).error?.issues[0];
  if (wrong) return { field: "id", message: typeof id === "number" ? mustBeDecimal : wrong.message };
  if (!isText(locationName)) return { field: "locationName", message: "Must be a string of at most 65,536 bytes." };
  if (id === undefined && !locationName) return { message: "Must have an id or a locationName." };
  return isTooLarge(location) ? { message: "Must have at most 16,384 bytes as JSON." } : undefined;
}

const mustBeDecimal = "As a number, must be between -2^53 and 2^53, without an exponent. Send it as a string.";

const isText = (value: unknown) => value === undefined || Text.safeParse(value).success;

export const isTooLarge = (location: Location) => Buffer.byteLength(JSON.stringify(location)) > locationBytesMax;

/** Without an exponent. */
const decimal = /^-?\d+(\.\d+)?$/;

/** Above 2^53, different numbers of a JSON text become the same number. */
const isDecimal = (id: unknown) =>
  typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER && decimal.test(String(id));

/** The location without an `id` or `locationName` that is null, and with a numeric id as its decimal string. */
export function asStored({ id, locationName, ...others }: Location): Location {
  return {
    ...(id != null && { id: isDecimal(id) ? String(id) : id }),
    ...(locationName != null && { locationName }),
    ...others,
  };
}

/** Distinguishes a location from the others of its document. An id and an equal name are different identities. */
export function identityOf(location: Location): string {
  const { id, locationName } = asStored(location);
  return id === undefined ? `name:${locationName}` : `id:${id}`;
}
