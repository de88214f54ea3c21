// Wire shapes of the activity log: an activity as it is read, and the filters of the list.
import * as z from "zod/mini";
import { Moment } from "./memory.ts";
import { Id, listOf, optional } from "./primitives.ts";

const valuesMax = 30;

/** The filters of the list. An activity must match each of them. */
export const ActivityFilters = {
  documentIds: optional(listOf(Id, valuesMax)),
  userIds: optional(listOf(Id, valuesMax).check(z.describe("Ids of the users who acted."))),
  eventTypes: optional(listOf(Id, valuesMax).check(z.describe("Such as `comment.add`, or your own."))),
  after: optional(Moment.check(z.describe("Only activities from this time on: ISO 8601, or milliseconds since 1970."))),
  before: optional(Moment.check(z.describe("Only activities before this time."))),
  order: optional(
    z
      .enum(["newest", "oldest"], 'Must be "newest" or "oldest".')
      .check(z.describe("By `createdAt`. Default: newest first.")),
  ),
};

const Fields = z.record(z.string(), z.unknown());

/** An activity as it is read. What was erased is left out. */
export const Activity = z.object({
  activityId: z.string(),
  organizationId: z.string(),
  documentId: optional(z.string()),
  documentName: optional(z.string().check(z.describe("The document's present name."))),
  actionUser: optional(
    z
      .object({ userId: z.string(), name: optional(z.string()), email: optional(z.string()) })
      .check(z.describe("Who acted, if the caller said so.")),
  ),
  eventType: z.string(),
  displayMessage: optional(z.string()),
  changes: optional(Fields.check(z.describe("Of a recorded event: its data, as a webhook gets it."))),
  metadata: optional(Fields),
  createdAt: z.string().check(z.describe("ISO 8601, UTC.")),
});
export type Activity = z.output<typeof Activity>;
