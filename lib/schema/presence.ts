// Wire shapes of presence.
import * as z from "zod/mini";
import { RealUserId } from "./fields.ts";
import { hiddenFromUsers } from "./for-users.ts";
import { mustBeAtLeast, mustBeObject } from "./messages.ts";
import { optional, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

const entryBytesMax = 4_096;

const Metadata = z.unknown().check(
  z.refine((value) => typeof value === "object" && value !== null && !Array.isArray(value), mustBeObject),
  z.meta({ type: "object", description: "Data for other clients, such as a cursor or a colour." }),
);

export const PresentUser = z
  .object(
    {
      userId: RealUserId,
      name: optional(Text).check(z.describe("The name to show for the user.")),
      email: hiddenFromUsers(optional(Text).check(z.describe("The e-mail address."))),
      metadata: optional(Metadata),
    },
    mustBeObject,
  )
  .check(
    z.refine((user) => Buffer.byteLength(JSON.stringify(user)) <= entryBytesMax, {
      error: "Must have at most 4,096 bytes as JSON.",
      when: whenValid(),
    }),
  );

export const lifetimeSecondsMax = 86_400;
/** Each call of a user checks the access. So who loses it is soon gone. */
export const userLifetimeSecondsMax = 180;

export const LifetimeSeconds = z
  .int("Must be a whole number of seconds.")
  .check(
    z.minimum(1, mustBeAtLeast(1)),
    z.maximum(lifetimeSecondsMax, "Must be at most 86,400, a day."),
    z.describe(
      "Seconds until the presence ends, unless the users are added again. Default: 86,400, a day; with a user's token 180, which is the most then.",
    ),
  );
