// A person named in feature data or in a notification. That creates neither a profile nor a grant.
import * as z from "zod/mini";
import { RealUserId, UserId } from "./fields.ts";
import { actor, hiddenFromUsers, ownName } from "./for-users.ts";
import { mustBeObject } from "./messages.ts";
import { optional, Text } from "./primitives.ts";

export const Person = z.object(
  {
    userId: UserId,
    name: optional(Text).check(z.describe("The name to show.")),
    email: hiddenFromUsers(optional(Text).check(z.describe("The e-mail address."))),
  },
  mustBeObject,
);
/** A person whom an item names, such as a mentioned user. The person need not have written anything in it. */
export const NamedPerson = z.extend(Person, { name: ownName(Person.shape.name) });
/** A user who does or gets something now. Content that is copied can name erased users. */
export const RealPerson = z.extend(Person, { userId: RealUserId });
export const ActionUser = actor(
  RealPerson.check(z.describe("Who makes the change. Its events have the id as `actionUserId`.")),
);
export type Person = z.output<typeof Person>;
