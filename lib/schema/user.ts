// A user as replies show it.
import * as z from "zod/mini";
import { AccessRole } from "./primitives.ts";

export const ShownUser = z.object({
  userId: z.string(),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  isAdmin: z.boolean(),
  accessRole: z.optional(AccessRole),
  expiresAt: z.optional(z.int()),
  properties: z.optional(
    z.record(z.string(), z.unknown()).check(z.describe("Further fields, as users/update set them.")),
  ),
});
export type ShownUser = z.output<typeof ShownUser>;
