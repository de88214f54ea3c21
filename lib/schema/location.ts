// A location of a document: an object that clients shape. What names it is its `id`, or its `locationName` where it has
// no id; the rest is kept as given.
import * as z from "zod/mini";
import { problemOf } from "./free-form.ts";
import { Id, Text } from "./primitives.ts";

/** Every exported item and many an event carry it. */
export const locationBytesMax = 16_384;

export const Location = z.record(z.string(), z.unknown(), "Must be an object.").check(
  (context) => {
    const problem = firstProblem(context.value);
    if (!problem) return;
    const { field, message } = problem;
    context.issues.push({ code: "custom", input: context.value, message, ...(field && { path: [field] }) });
  },
  z.describe(
    "An object that is named by its `id`, or by its `locationName` where it has no id: strings. " +
      "Further fields are kept as given; at most 16,384 bytes as JSON.",
  ),
);
export type Location = z.output<typeof Location>;

function firstProblem(location: Location): { field?: string; message: string } | undefined {
  const { id, locationName } = given(location);
  const names = { id: id === undefined || Id.safeParse(id).success, locationName: isText(locationName) };
  if (!names.id) return { field: "id", message: "Must be a string of 1 to 256 characters." };
  if (!names.locationName) return { field: "locationName", message: "Must be a string of at most 65,536 bytes." };
  if (id === undefined && !locationName) return { message: "Must have an id, or a locationName." };
  if (isTooLarge(location)) return { message: "Must have at most 16,384 bytes as JSON." };
  // Its events are stored as they are.
  const problem = problemOf(location);
  return problem === undefined ? undefined : { message: problem };
}

const isText = (value: unknown) => value === undefined || Text.safeParse(value).success;

export const isTooLarge = (location: Location) => Buffer.byteLength(JSON.stringify(location)) > locationBytesMax;

/** Without names that are null, which are as absent as elsewhere. */
export function given(location: Location): Location {
  return Object.fromEntries(
    Object.entries(location).filter(([field, value]) => value !== null || (field !== "id" && field !== "locationName")),
  );
}

/** What tells a location from its document's others. The two kinds of names never meet. */
export function identityOf(location: Location): string {
  const { id, locationName } = given(location);
  return id === undefined ? `name:${locationName}` : `id:${id}`;
}
