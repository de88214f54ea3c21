// Wire shapes of the email configuration.
import * as z from "zod/mini";
import { isMailAddress } from "./mail-address.ts";
import { mustBeObject } from "./messages.ts";
import { Flag, optional, Text } from "./primitives.ts";
import { emailServiceTypes } from "./setting-names.ts";
import { EventTriggers } from "./triggers.ts";
import { whenValid } from "./when-valid.ts";

const ServiceType = z.enum(emailServiceTypes, 'Must be "default", "external" or "custom".');

export const EmailChange = z
  .object({
    useEmailService: optional(Flag),
    emailServiceConfig: optional(
      z.object(
        {
          type: optional(ServiceType),
          apiKey: optional(
            Text.check(z.describe("The external provider's API key. Stored encrypted. An empty string removes it.")),
          ),
          fromEmail: optional(
            Text.check(
              z.refine((text) => text === "" || isMailAddress(text), { error: "Must be an email address, or empty." }),
            ),
          ),
          fromCompany: optional(Text),
          triggers: optional(EventTriggers),
        },
        mustBeObject,
      ),
    ),
  })
  .check(
    z.refine(
      ({ useEmailService, emailServiceConfig }) => useEmailService !== undefined || emailServiceConfig !== undefined,
      {
        error: "Give useEmailService or emailServiceConfig.",
        when: whenValid("useEmailService", "emailServiceConfig"),
      },
    ),
  );
export type EmailChange = z.output<typeof EmailChange>;

/** The reply of the get and the update endpoint. It has the key in plain text, as the contract requires. */
export const EmailConfig = z.object({
  useEmailService: z.boolean(),
  emailServiceConfig: z.object({
    type: ServiceType,
    apiKey: z.string(),
    fromEmail: z.string(),
    fromCompany: z.string(),
    commentTemplateId: z.string(),
    tagTemplateId: z.string(),
    triggers: z.record(z.string(), z.boolean()),
  }),
});
export type EmailConfig = z.output<typeof EmailConfig>;
