import { describe, expect, it, vi } from "vitest";
import { webhookEndpointsCreate } from "../../../functions/webhooks/webhook-endpoints-create.ts";
import { webhookEndpointsDelete } from "../../../functions/webhooks/webhook-endpoints-delete.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { call, must } from "../../support/call.ts";
import { hooked } from "../../support/webhooks.ts";

const data = { url: "https://example.com/hooks" };

describe("RESOURCE_EXHAUSTED", () => {
  it("is returned beyond the deployment's limit, for concurrent calls too, until an endpoint is deleted", async () => {
    vi.stubEnv("WEBHOOK_ENDPOINTS_MAX", "3");
    const as = await hooked();
    const other = await hooked();
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => call(webhookEndpointsCreate, { as, data })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const { error } = await call(webhookEndpointsCreate, { as, data });
    expect(error).toEqual({
      status: "RESOURCE_EXHAUSTED",
      message: "A workspace has at most 3 advanced webhook endpoints. Delete one first.",
    });
    const stored = await WebhookEndpoint.list({ workspace: as.apiKey });
    expect(stored).toHaveLength(3);
    await must(webhookEndpointsCreate, { as: other, data });
    await must(webhookEndpointsDelete, { as, data: { endpointId: stored[0]?.id } });
    await must(webhookEndpointsCreate, { as, data });
    vi.unstubAllEnvs();
  });

  it("is returned for the 51st endpoint by default", async () => {
    const as = await hooked();
    for (let count = 0; count < 50; count++) await must(webhookEndpointsCreate, { as, data });
    expect((await call(webhookEndpointsCreate, { as, data })).status).toBe(429);
  });
});
