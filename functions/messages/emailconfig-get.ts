import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { EmailConfig } from "../../lib/schema/email.ts";
import { emailConfigOf } from "../../lib/workspace/email-config.ts";

export const emailconfigGet = endpoint({
  name: "emailconfig-get",
  path: "/v2/workspace/emailconfig/get",
  contract: 8,
  summary: "Get the e-mail configuration",
  description: "Get the email configuration, with the provider's API key in plain text.",
  settings: ["email"],
  grants: ["table:read", "key:unseal:email-api-key"],
  data: z.object({}),
  reply: EmailConfig,
  message: "Email configuration retrieved.",

  async handle({ caller }) {
    return emailConfigOf(caller.ref, await caller.setting("email"));
  },
});
export const handler = readLambda(emailconfigGet);
