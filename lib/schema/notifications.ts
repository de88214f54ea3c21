// Wire shapes of notifications and of the users' preferences.
import * as z from "zod/mini";
import { AccessContext } from "./access.ts";
import { mustBeObject, mustBeString, mustHaveAccess } from "./messages.ts";
import { Person } from "./person.ts";
import { IsoTime, optional, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

export const Level = z
  .enum(["ALL", "MINE", "NONE"], 'Must be "ALL", "MINE" or "NONE".')
  .check(
    z.describe(
      "ALL: all activity. MINE: only what concerns the user: notifications that name the user or one of the user's groups, " +
        "and, by e-mail and Slack, comments in threads that the user has begun, takes part in or is assigned, or that " +
        "mention the user. NONE: nothing. E-mail and Slack of a user who has set nothing are as with MINE.",
    ),
  );
export type Level = z.output<typeof Level>;

/** The ways in which a notification reaches a user. */
export const channels = ["inbox", "email", "slack"] as const;
export type Channel = (typeof channels)[number];

/** A notification as its reader sees it. */
export const VisibleNotification = z.object({
  notificationId: z.string(),
  organizationId: z.string(),
  documentId: z.string(),
  createdAt: IsoTime,
  actionUser: z.object({ userId: z.string(), name: z.optional(z.string()), email: z.optional(z.string()) }),
  displayHeadlineMessage: z.optional(z.string().check(z.describe("The template with its variables filled in."))),
  displayHeadlineMessageTemplate: z.optional(z.string()),
  displayHeadlineMessageTemplateData: z.optional(z.record(z.string(), z.unknown())),
  displayBodyMessage: z.optional(z.string()),
  notificationSource: z.optional(z.string()),
  notificationSourceData: z.optional(z.record(z.string(), z.unknown())),
  isNotificationResolverUsed: z.boolean(),
});

export const NotificationId = z
  .string(mustBeString)
  .check(
    z.regex(/^[A-Za-z0-9_-]{1,256}$/, "Must be 1 to 256 letters, digits, underscores or hyphens."),
    z.describe("1 to 256 letters, digits, `_` and `-`. Repeating an id succeeds and adds nothing."),
  );

export const notificationSources = ["custom", "comment", "huddle", "crdt"] as const;

const PersonOrText = z.union([Text, Person], "Must be a string or a user object with a userId.");

/** Values of the headline's variables. */
export const TemplateData = z.catchall(
  z.object({ actionUser: optional(Person), recipientUser: optional(PersonOrText) }, mustBeObject),
  Text,
);

const hasSingleValues = z.refine<AccessContext["access"]>(
  (access) => Object.values(access).every((value) => !Array.isArray(value)),
  { error: "Each field must have one value." },
);

/** Access fields that recipients must have, each with one value. */
export const NotificationContext = z.object(
  { access: AccessContext.shape.access.check(hasSingleValues) },
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
    { required: ["isNotificationResolverUsed"], properties: { isNotificationResolverUsed: { const: true } } },
    {
      required: [...texts],
      properties: Object.fromEntries(texts.map((field) => [field, { type: "string", minLength: 1 }])),
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
