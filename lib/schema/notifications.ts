// Wire shapes of notifications and of the users' preferences.
import * as z from "zod/mini";
import { accessFields } from "./access.ts";
import { DocumentId, OrganizationId } from "./fields.ts";
import { mustBeObject, mustBeString, mustHaveAccess } from "./messages.ts";
import { Person } from "./person.ts";
import { CreatedAt, optional, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

export const Level = z
  .enum(["ALL", "MINE", "NONE"], 'Must be "ALL", "MINE" or "NONE".')
  .check(
    z.describe(
      "ALL: all activity. MINE: only what concerns the user: notifications that name the user or one of the user's groups, " +
        "and, by e-mail and Slack, comments in threads that the user has begun, takes part in or is assigned, or that " +
        "mention the user. NONE: nothing.",
    ),
  );
export type Level = z.output<typeof Level>;

/** The preference for each channel. */
export const Levels = z.object(
  {
    inbox: Level.check(z.describe("What goes into the inbox.")),
    email: Level.check(z.describe("What is sent by e-mail.")),
    slack: Level.check(z.describe("What is sent by Slack.")),
  },
  mustBeObject,
);

/** The ways in which a notification reaches a user. */
export const channels = ["inbox", "email", "slack"] as const;
export type Channel = (typeof channels)[number];

const PersonOrText = z.union([Text, Person], "Must be a string or a user object with a userId.");

/** Values of the headline's variables. */
export const TemplateData = z.catchall(
  z.object(
    {
      actionUser: optional(Person).check(
        z.describe("The user whose action it is. `{actionUser}` in the headline stands for the name."),
      ),
      recipientUser: optional(PersonOrText).check(z.describe("The user whom the headline names as recipient.")),
    },
    mustBeObject,
  ),
  Text,
);
export type TemplateData = z.output<typeof TemplateData>;

/** A notification as its reader sees it. */
export const VisibleNotification = z.object({
  notificationId: z.string().check(z.describe("The notification.")),
  organizationId: OrganizationId,
  documentId: DocumentId,
  createdAt: CreatedAt,
  actionUser: Person.check(z.describe("The user who did it.")),
  displayHeadlineMessage: z.optional(
    z
      .string()
      .check(
        z.describe("The template with its variables filled in. At most 65,536 characters: a longer one ends with `…`."),
      ),
  ),
  displayHeadlineMessageTemplate: z
    .optional(z.string())
    .check(z.describe("The headline. `{actionUser}` and the names of template data in braces stand for their values.")),
  displayHeadlineMessageTemplateData: z
    .optional(TemplateData)
    .check(
      z.describe("The values for the names in the headline: texts. Only actionUser and recipientUser take users."),
    ),
  displayBodyMessage: z.optional(z.string()).check(z.describe("The text below the headline.")),
  notificationSource: z.optional(z.string()).check(z.describe("What the notification comes from. Default: custom.")),
  notificationSourceData: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe("Your own fields about the source, such as a comment's id.")),
  isNotificationResolverUsed: z
    .boolean()
    .check(
      z.describe(
        "true: your application supplies the texts when it shows the notification, and none are stored. Default false.",
      ),
    ),
});

export const NotificationId = z
  .string(mustBeString)
  .check(
    z.regex(/^[A-Za-z0-9_-]{1,256}$/, "Must be 1 to 256 letters, digits, underscores or hyphens."),
    z.describe("1 to 256 letters, digits, `_` and `-`. Repeating an id succeeds and adds nothing."),
  );

export const notificationSources = ["custom", "comment", "huddle", "crdt"] as const;

/** Access fields that recipients must have, each with one value. */
export const NotificationContext = z.object(
  {
    access: accessFields(true).check(
      z.describe("Your own field names, each with the one value that a recipient must have."),
    ),
  },
  mustHaveAccess,
);

interface Texts {
  isNotificationResolverUsed?: boolean | undefined;
  displayHeadlineMessageTemplate?: string | undefined;
  displayBodyMessage?: string | undefined;
}

const texts = ["displayHeadlineMessageTemplate", "displayBodyMessage"] as const;

/** The rule of `headlineAndBody` in JSON Schema, for the documentation. */
export const headlineAndBodySchema = {
  anyOf: [
    {
      required: ["isNotificationResolverUsed"],
      properties: { isNotificationResolverUsed: { const: true, description: "Your application supplies the texts." } },
    },
    {
      required: [...texts],
      properties: Object.fromEntries(
        texts.map((field) => [field, { type: "string", minLength: 1, description: "Not empty." }]),
      ),
    },
  ],
};

/** Headline and body are required, unless the customer's resolver supplies them. */
export const headlineAndBody = texts.map((field) =>
  z.refine<Texts>((data) => data.isNotificationResolverUsed === true || Boolean(data[field]), {
    error: "Is required unless isNotificationResolverUsed is true.",
    path: [field],
    when: whenValid("isNotificationResolverUsed", field),
  }),
);
