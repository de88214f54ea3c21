import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { EmailChange, EmailConfig } from "../../lib/schema/email.ts";
import * as Setting from "../../lib/store/setting.ts";
import { emailChanges, emailConfigOf, mailedBy, sealEmailKey } from "../../lib/workspace/email-config.ts";

export const emailconfigUpdate = endpoint({
  name: "emailconfig-update",
  path: "/v2/workspace/emailconfig/update",
  contract: 7,
  summary: "Update the e-mail configuration",
  description: "Update the email configuration. Enabling the service for the first time sets default triggers.",
  settings: ["email"],
  grants: ["table:read", "table:write", "key:seal:email-api-key", "key:unseal:email-api-key"],
  data: EmailChange,
  example: {
    useEmailService: true,
    emailBatchSeconds: 120,
    emailServiceConfig: { fromCompany: "Acme", triggers: { "comment.add": true } },
  },
  reply: EmailConfig,
  message: "Email configuration updated.",

  async handle({ data, caller }) {
    const stored = await caller.setting("email");
    const apiKey = data.emailServiceConfig?.apiKey;
    const sealed = apiKey === undefined ? undefined : await sealEmailKey(caller.ref, apiKey);
    const decide = (each: Setting.EmailSetting) => emailChanges(each, data, sealed);
    const setting = await Setting.change(caller.ref, "email", stored, decide, mailedBy);
    return emailConfigOf(caller.ref, setting, apiKey);
  },
});
export const handler = lambda(emailconfigUpdate);
