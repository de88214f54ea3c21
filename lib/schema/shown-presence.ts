// In a file of its own, because a bundle that imports a file contains all schemas of the file.
import * as z from "zod/mini";
import { UserId } from "./fields.ts";
import { hiddenFromUsers } from "./for-users.ts";
import { IsoTime, optional } from "./primitives.ts";

/** A user who is present, in a reply. */
export const ShownPresence = z.object({
  userId: UserId,
  name: optional(z.string()).check(z.describe("The name to show.")),
  email: hiddenFromUsers(optional(z.string()).check(z.describe("The e-mail address."))),
  metadata: optional(z.record(z.string(), z.unknown())).check(
    z.describe("Data for other clients, such as a cursor or a colour. Absent: none."),
  ),
  updatedAt: IsoTime.check(z.describe("When the presence was last added or renewed.")),
  expiresAt: z.int().check(z.describe("Unix time in seconds at which the presence ends by itself.")),
});
