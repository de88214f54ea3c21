// Wire shapes of the activity log: an activity as it is read, and the filters of the list.
import * as z from "zod/mini";
import { Metadata } from "./features.ts";
import { ActivityId, OrganizationId } from "./fields.ts";
import { mustBeObject } from "./messages.ts";
import { Moment, momentForms } from "./moment.ts";
import { Person, RealPerson } from "./person.ts";
import { Id, IsoTime, listOf, optional, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

const valuesMax = 30;

/** The filters of the list. An activity must match each of them. */
export const ActivityFilters = {
  documentIds: optional(listOf(Id, valuesMax)).check(
    z.describe("The documents, by their ids. A repeated id counts once."),
  ),
  userIds: optional(listOf(Id, valuesMax).check(z.describe("Ids of the users who acted."))),
  eventTypes: optional(listOf(Id, valuesMax).check(z.describe("Such as `comment.add`, or your own."))),
  after: optional(Moment.check(z.describe(`Only activities from this time on: ${momentForms}.`))),
  before: optional(Moment.check(z.describe(`Only activities before this: ${momentForms}.`))),
  order: optional(
    z
      .enum(["newest", "oldest"], 'Must be "newest" or "oldest".')
      .check(z.describe("By `createdAt`. Default: newest first.")),
  ),
};

const Fields = z.record(z.string(), z.unknown());

/** An activity as it is read. Erased texts are left out. */
export const Activity = z.object({
  activityId: ActivityId,
  organizationId: OrganizationId,
  documentId: optional(z.string()).check(z.describe("The document that it is about. Absent: the organization.")),
  documentName: optional(z.string().check(z.describe("The document's present name."))),
  actionUser: optional(Person.check(z.describe("Who acted, if the caller said so."))),
  authTokenId: optional(z.string()).check(
    z.describe(
      "The auth token of the call that caused the event or added the activity, by its id. Absent: a job caused it.",
    ),
  ),
  eventType: z.string().check(z.describe("What happened: the type of an event, such as comment.add, or your own.")),
  displayMessage: optional(z.string()).check(z.describe("A sentence for people about what happened.")),
  changes: optional(Fields.check(z.describe("Of a recorded event: its data, as a webhook gets it."))),
  metadata: optional(Fields).check(z.describe("Your own fields, as you added them.")),
  createdAt: IsoTime.check(z.describe("When it happened.")),
  updatedAt: optional(IsoTime.check(z.describe("When activities/update last changed it."))),
});
export type Activity = z.output<typeof Activity>;

const bytesMax = 128 * 1_024;

const isSmall = z.refine<object>((item) => Buffer.byteLength(JSON.stringify(item)) <= bytesMax, {
  error: "Must have at most 131,072 bytes as JSON.",
  when: whenValid(),
});

/** The fields that an update can replace. */
const parts = {
  displayMessage: optional(Text).check(z.describe("A sentence for people about what happened.")),
  changes: optional(Metadata),
  metadata: optional(Metadata),
};

const OwnEventType = Id.check(
  z.refine((type) => !type.startsWith("activity."), { error: "Must not begin with activity., which the log uses." }),
  z.describe("Any name. Those that begin with `activity.` are the log's own."),
);

export const NewActivity = z
  .object(
    {
      activityId: optional(Id.check(z.describe("Default: a new id. An id is used only once in an organization."))),
      documentId: optional(Id.check(z.describe("The document need not exist."))),
      actionUser: RealPerson.check(z.describe("The user who did it.")),
      eventType: OwnEventType,
      ...parts,
      createdAt: optional(
        Moment.check(
          z.describe(
            "When it happened: ISO 8601, or milliseconds since 1970. Default: the time of the call. Its place in the chain follows from the time of the call.",
          ),
        ),
      ),
    },
    mustBeObject,
  )
  .check(isSmall);
export type NewActivity = z.output<typeof NewActivity>;

const changesSomething = z.refine<Record<string, unknown>>(
  (update) => Object.keys(parts).some((part) => update[part] !== undefined),
  { error: "Give displayMessage, changes or metadata.", when: whenValid(...Object.keys(parts)) },
);

export const ActivityUpdate = z
  .object({ activityId: ActivityId, ...parts }, mustBeObject)
  .check(isSmall, changesSomething);
export type ActivityUpdate = z.output<typeof ActivityUpdate>;
