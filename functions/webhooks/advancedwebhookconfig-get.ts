import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";

export const advancedwebhookconfigGet = endpoint({
  name: "advancedwebhookconfig-get",
  path: "/v2/workspace/advancedwebhookconfig/get",
  summary: "Get the webhook configuration",
  description: "Get whether advanced webhooks are enabled.",
  settings: ["switches"],
  grants: ["table:read"],
  data: z.object({}),
  reply: z.object({ isEnabled: z.boolean().check(z.describe("Whether it is on.")) }),
  message: "Advanced webhook configuration retrieved.",

  async handle({ caller }) {
    return { isEnabled: (await caller.setting("switches")).advancedWebhooks };
  },
});
export const handler = readLambda(advancedwebhookconfigGet);
