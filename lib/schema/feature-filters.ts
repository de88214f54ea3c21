// Wire shape of the filters of a list of feature data (DECISIONS.md#list-of-feature-data).
import * as z from "zod/mini";
import { Timestamp } from "./features.ts";
import { mustBeObject } from "./messages.ts";
import { Milliseconds, momentForms } from "./moment.ts";
import { Id, listOf, optional, Text } from "./primitives.ts";

const valuesMax = 30;

const Moment = z.union([Timestamp, Milliseconds], `Must be ${momentForms}.`);

const scan = "A scan: the page reads at most 1,000 entries and shows those that match.";
const OneOrSeveral = z
  .union([Text, listOf(Text, valuesMax)], `Must be a string or a list of 1 to ${valuesMax} strings.`)
  .check(z.describe(`One value or several; the item has one of them. ${scan}`));
const UserId = Id.check(z.describe(`A user id. ${scan}`));

export const Filters = z
  .object(
    {
      status: optional(OneOrSeveral),
      priority: optional(OneOrSeveral),
      assignedTo: optional(UserId),
      from: optional(UserId),
      mentions: optional(UserId.check(z.describe(`The id of a user whom a comment tags. ${scan}`))),
      updatedAfter: optional(
        Moment.check(
          z.describe(
            `Only items whose \`updatedAt\`, or time of the last write without it, is later than this: ${momentForms}. ${scan}`,
          ),
        ),
      ),
      createdAfter: optional(
        Moment.check(
          z.describe(
            `Only items whose \`createdAt\`, as first stored, is later than this: ${momentForms}. A key: the list begins or ends there.`,
          ),
        ),
      ),
    },
    mustBeObject,
  )
  .check(z.describe("Only items that match all of these. Absent: all items."));
export type Filters = z.output<typeof Filters>;
