import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { EndpointId } from "../../lib/schema/fields.ts";
import { Id, optional, UnixSeconds } from "../../lib/schema/primitives.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import { existingEndpoint } from "../../lib/webhooks/endpoint-record.ts";
import { resume } from "../../lib/webhooks/health.ts";
import { retryFailed } from "../../lib/webhooks/retry.ts";

export const webhookDeliveriesRetry = endpoint({
  name: "webhook-deliveries-retry",
  path: "/v2/workspace/advancedwebhook/deliveries/retry",
  summary: "Retry failed deliveries",
  description:
    "Retry failed deliveries of an advanced webhook endpoint: one of them, or those of all events since a time. " +
    "Failed are those whose attempts are over, and those that wait for another attempt. It ends a pause of the endpoint.",
  needs: ["advancedWebhooks"],
  grants: ["table:read", "table:write", "table:delete", "queue:fanout"],
  errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
  data: z
    .object({
      endpointId: EndpointId,
      webhookId: optional(Id).check(
        z.describe(
          "The delivery to retry: a failed one, or one whose next attempt is more than a minute away. Give it or failedSince.",
        ),
      ),
      failedSince: optional(
        UnixSeconds.check(
          z.describe(
            "Unix time in seconds. Retries the deliveries of events from then on that have failed, or whose next attempt is more than 10 minutes away.",
          ),
        ),
      ),
    })
    .check(
      z.refine(({ webhookId, failedSince }) => (webhookId === undefined) !== (failedSince === undefined), {
        error: "Give either webhookId or failedSince.",
        when: whenValid("webhookId", "failedSince"),
      }),
    ),
  example: { endpointId: "endpoint-1", failedSince: 1_767_225_600 },
  reply: z.object({
    retried: z.number().check(z.describe("How many deliveries were queued again.")),
    hasMore: z.boolean().check(z.describe("More failed deliveries remain: call again.")),
  }),
  timeoutSeconds: 25,
  message: "Deliveries queued again.",

  async handle({ data: { endpointId, webhookId, failedSince = 0 }, caller: { workspace } }) {
    const ref = { workspace, endpointId };
    await resume(ref, await existingEndpoint(ref));
    return retryFailed(ref, webhookId === undefined ? { since: failedSince * 1_000 } : { id: webhookId });
  },
});
export const handler = lambda(webhookDeliveriesRetry);
