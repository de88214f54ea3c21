// Results of the items of a bulk call. `success` distinguishes the two shapes.
import * as z from "zod/mini";

/** Why an item failed. Replies of later versions can have further codes. */
export const ItemCode = z.enum([
  "already-exists",
  "being-deleted",
  "beyond-limit",
  "cycle",
  "document-not-found",
  "folder-not-found",
  "immutable",
  "metadata-too-large",
  "no-grant",
  "not-author",
  "not-empty",
  "not-found",
  "nothing-to-update",
  "organization-not-found",
  "parent-not-found",
  "properties-too-large",
  "too-deep",
]);
export type ItemCode = z.output<typeof ItemCode>;

const message = z.string().check(z.describe("What happened, for a developer."));

/** A result with further fields. `fields`: those of each result. `ofSuccess`: those of a success only. */
export const resultWith = <Fields extends z.core.$ZodLooseShape, More extends z.core.$ZodLooseShape>(
  fields: Fields,
  ofSuccess: More,
) =>
  z.union([
    z.object({
      success: z.literal(true).check(z.describe("Whether the item succeeded.")),
      ...fields,
      message,
      ...ofSuccess,
    }),
    z.object({
      success: z.literal(false).check(z.describe("Whether the item succeeded.")),
      ...fields,
      message,
      code: ItemCode.check(z.describe("Why the item failed.")),
    }),
  ]);

export const ItemResult = resultWith(
  { id: z.string().check(z.describe("The id of the item, as in the request.")) },
  {},
);
export type ItemResult = z.output<typeof ItemResult>;

export const done = (id: string, message: string) => ({ success: true, id, message }) satisfies ItemResult;

export const failed = (id: string, code: ItemCode, message: string) =>
  ({ success: false, id, message, code }) satisfies ItemResult;

/** An object with an own property for each id. An assignment would not create one for "__proto__". */
export function byId<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(entries);
}

/** The first item of each id. */
export function distinctBy<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  const seen = new Map<string, T>();
  for (const item of items) if (!seen.has(idOf(item))) seen.set(idOf(item), item);
  return [...seen.values()];
}
