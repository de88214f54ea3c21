import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { Flag } from "../../lib/schema/primitives.ts";
import { switchWebhooks } from "../../lib/webhooks/configure.ts";

export const advancedwebhookconfigUpdate = endpoint({
  name: "advancedwebhookconfig-update",
  path: "/v2/workspace/advancedwebhookconfig/update",
  summary: "Turn webhooks on or off",
  description:
    "Enable or disable advanced webhooks. While disabled, new events make no deliveries and pending ones wait.",
  settings: ["switches", "webhooks"],
  grants: ["table:read", "table:write", "queue:fanout"],
  data: z.object({
    isEnabled: Flag.check(
      z.describe("true: webhooks are on. false: new events make no deliveries, and pending ones wait."),
    ),
  }),
  reply: z.object({ isEnabled: z.boolean().check(z.describe("Whether it is on.")) }),
  message: "Advanced webhook configuration updated.",

  async handle({ data: { isEnabled }, caller }) {
    const [switches, webhooks] = await Promise.all([caller.setting("switches"), caller.setting("webhooks")]);
    if (switches.advancedWebhooks !== isEnabled) await switchWebhooks(caller.ref, isEnabled, { switches, webhooks });
    return { isEnabled };
  },
});
export const handler = lambda(advancedwebhookconfigUpdate);
