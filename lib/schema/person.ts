// A person named in feature data or in a notification. That creates neither a profile nor a grant.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { Id, optional, Text } from "./primitives.ts";

export const Person = z.object({ userId: Id, name: optional(Text), email: optional(Text) }, mustBeObject);
export const ActionUser = Person.check(z.describe("Who makes the change. Its events have the id as `actionUserId`."));
export type Person = z.output<typeof Person>;
