// A file of its own: a schema is part of every bundle that has its file.
import * as z from "zod/mini";
import { IsoTime, optional } from "./primitives.ts";

/** A user who is present, in a reply. */
export const ShownPresence = z.object({
  userId: z.string(),
  name: optional(z.string()),
  email: optional(z.string()),
  metadata: optional(z.record(z.string(), z.unknown())),
  updatedAt: IsoTime,
  expiresAt: z.int().check(z.describe("Unix time in seconds at which the presence ends by itself.")),
});
