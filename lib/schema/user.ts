// A user as replies show it.
import * as z from "zod/mini";
import { UserId } from "./fields.ts";
import { AccessRole } from "./primitives.ts";

export const ShownUser = z.object({
  userId: UserId,
  name: z.optional(z.string()).check(z.describe("The name to show for the user.")),
  email: z.optional(z.string()).check(z.describe("The user's e-mail address, to which messages go.")),
  isAdmin: z
    .boolean()
    .check(
      z.describe("Whether the user is an admin of the organization: an editor of everything in it. Default false."),
    ),
  accessRole: z.optional(AccessRole),
  expiresAt: z.optional(z.int()).check(z.describe("When the grant ends, in Unix seconds. Absent: it does not end.")),
  properties: z.optional(
    z.record(z.string(), z.unknown()).check(z.describe("Further fields, as users/update set them.")),
  ),
});
export type ShownUser = z.output<typeof ShownUser>;
