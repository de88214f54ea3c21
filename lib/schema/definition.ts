// What a schema is made of, as zod keeps it.
import * as z from "zod/mini";

export interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  /** The schema of the fields that `shape` does not name. */
  catchall?: z.ZodMiniType;
  element?: z.ZodMiniType;
  /** The schema of the values of a map. */
  valueType?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  /** The alternatives of a union. */
  options?: z.ZodMiniType[];
}

export const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition;

/** A field of replies that a request cannot set. A request can have it. Then it is ignored, and named as unknown fields are. */
export const Ignored = z.optional(
  z.unknown().check(z.describe("Ignored. A request can have it because replies have it.")),
);
