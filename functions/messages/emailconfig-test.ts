import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { sendTestMail } from "../../lib/messages/test-mail.ts";
import { MailAddress } from "../../lib/schema/suppression.ts";

export const emailconfigTest = endpoint({
  name: "emailconfig-test",
  path: "/v2/workspace/emailconfig/test",
  summary: "Send a test mail",
  description: "Send a test mail to an address, as the workspace's e-mails are sent now. At most five in an hour.",
  grants: [
    "table:read",
    "table:write",
    "mail:send",
    "key:unseal:email-api-key",
    "key:seal:address-hash",
    "key:unseal:address-hash",
  ],
  callsOut: true,
  errors: ["RESOURCE_EXHAUSTED"],
  data: z.object({ email: MailAddress.check(z.describe("Where the test mail goes.")) }),
  reply: z.object({
    messageId: z.string().check(z.describe("As in messages/get.")),
    state: z
      .enum(["sent", "failed"])
      .check(z.describe("sent: the provider has accepted it. failed: error says why not.")),
    error: z.optional(z.string().check(z.describe("Why it was not sent."))),
  }),
  timeoutSeconds: 25,
  message: "Test mail attempted.",

  async handle({ data, caller }) {
    return sendTestMail(caller.ref, data.email);
  },
});
export const handler = lambda(emailconfigTest);
