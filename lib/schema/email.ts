// Wire shapes of the email configuration.
import * as z from "zod/mini";
import { PlainHeaderValue } from "./header-value.ts";
import { mailAddress } from "./mail-address.ts";
import { mustBeObject } from "./messages.ts";
import { Flag, matching, optional, Text } from "./primitives.ts";
import { emailServiceTypes } from "./setting-names.ts";
import { EventTriggers } from "./triggers.ts";
import { whenValid } from "./when-valid.ts";

const TemplateId = matching(
  /^[\w.:-]*$/,
  128,
  "Must have only letters, digits and characters of _ . : - or be empty.",
).check(
  z.describe("The id of a dynamic template of the external provider. Empty: the service renders the message itself."),
);

const batchSecondsMax = 3_600;

const BatchSeconds = z
  .int("Must be a whole number of seconds.")
  .check(
    z.minimum(0, "Must be at least 0."),
    z.maximum(batchSecondsMax, `Must be at most ${batchSecondsMax}.`),
    z.describe(
      "One message, by e-mail or Slack, has all events of this time about one document for one user. A mention or an " +
        "assignment is sent at once. Default: 120.",
    ),
  );

const ServiceType = z
  .enum(emailServiceTypes, 'Must be "default", "external" or "custom".')
  .check(
    z.describe(
      "external: through SendGrid, with the apiKey and from the fromEmail. default and custom: likewise if there is an " +
        "apiKey, otherwise through the deployment's sender.",
    ),
  );

export const EmailChange = z
  .object({
    useEmailService: optional(
      Flag.check(z.describe("true: users get e-mails. The first time also sets the default triggers.")),
    ),
    emailBatchSeconds: optional(BatchSeconds),
    emailServiceConfig: optional(
      z.object(
        {
          type: optional(ServiceType),
          apiKey: optional(
            PlainHeaderValue.check(
              z.describe("The external provider's API key. Stored encrypted. An empty string removes it."),
            ),
          ),
          fromEmail: optional(
            Text.check(
              z.refine((text) => text === "" || mailAddress(text) !== undefined, {
                error: "Must be an email address that mail servers take, in ASCII before the @. Or empty.",
              }),
              z.describe(
                "With an apiKey, the sender's address, which SendGrid must know. Otherwise only the address for replies.",
              ),
            ),
          ),
          fromCompany: optional(Text.check(z.describe("The name beside the sender's address, and in the message."))),
          commentTemplateId: optional(TemplateId),
          tagTemplateId: optional(TemplateId),
          triggers: optional(EventTriggers),
        },
        mustBeObject,
      ),
    ).check(z.describe("How e-mails are sent.")),
  })
  .check(
    z.refine(
      ({ useEmailService, emailServiceConfig, emailBatchSeconds }) =>
        [useEmailService, emailServiceConfig, emailBatchSeconds].some((each) => each !== undefined),
      {
        error: "Give useEmailService, emailServiceConfig or emailBatchSeconds.",
        when: whenValid("useEmailService", "emailServiceConfig", "emailBatchSeconds"),
      },
    ),
  );
export type EmailChange = z.output<typeof EmailChange>;

/** The reply of the get and the update endpoint. It has the key in plain text, as the contract requires. */
export const EmailConfig = z.object({
  useEmailService: z.boolean().check(z.describe("Whether users get e-mails.")),
  emailBatchSeconds: z.optional(z.number().check(z.describe("Absent until it is set: messages wait 120 seconds."))),
  emailServiceConfig: z
    .object({
      type: ServiceType,
      apiKey: z.string().check(z.describe("The external provider's API key, in plain text. Empty: none.")),
      fromEmail: z
        .string()
        .check(z.describe("The sender's address, or without an apiKey the address for replies. Empty: none.")),
      fromCompany: z
        .string()
        .check(z.describe("The name beside the sender's address, and in the message. Empty: none.")),
      commentTemplateId: z
        .string()
        .check(z.describe("The provider's template for comments. Empty: the service renders the message itself.")),
      tagTemplateId: z
        .string()
        .check(z.describe("The provider's template for mentions. Empty: the service renders the message itself.")),
      triggers: EventTriggers,
    })
    .check(z.describe("How e-mails are sent.")),
});
export type EmailConfig = z.output<typeof EmailConfig>;
