import { expect, it, vi } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { webhookDeliveriesGet } from "../../../functions/webhooks/webhook-deliveries-get.ts";
import { webhookDeliveriesRetry } from "../../../functions/webhooks/webhook-deliveries-retry.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { addEndpoint, deliveriesOf, emit, eventOf, hooked, receiver, runDrains } from "../../support/webhooks.ts";

fakeDates();

const zoe = "zoe@example.org";

it.each([
  ["all organizations", undefined],
  ["one organization", "o"],
])("a user is removed from the answers of all attempts; erased from %s", async (_, organizationId) => {
  const as = await hooked();
  const workspace = as.apiKey;
  if (organizationId) await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  let answers = 0;
  const { url } = await receiver((response) => {
    response.statusCode = 500;
    response.end(`Answer ${++answers}: no ${zoe}.`);
  });
  const { id: endpointId } = await addEndpoint(workspace, { url });
  await emit(workspace, eventOf(workspace, "d"));
  later(10);
  await runDrains(workspace);
  const [delivery] = await deliveriesOf(workspace, endpointId);
  expect(delivery?.attempts).toBe(2);
  await erased(await beginErasure(workspace, { userIds: [zoe], organizationId }));
  const shown = await must(webhookDeliveriesGet, { as, data: { endpointId, deliveryId: delivery?.id } });
  expect(shown.deliveries[0].attemptLog).toHaveLength(2);
  expect(JSON.stringify(shown)).not.toContain(zoe);
});

it.each([
  ["of another organization", [zoe], "o2"],
  ["that have an id only as a part of a word or number", ["7", "en"], undefined],
])("answers %s stay, also of a delivery that waits for its next attempt", async (_, userIds, organizationId) => {
  const as = await hooked();
  if (organizationId) await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  const { url } = await receiver((response) => response.writeHead(500).end(`${zoe}, 17, then`));
  const { id: endpointId } = await addEndpoint(as.apiKey, { url });
  await emit(as.apiKey, eventOf(as.apiKey, "d"));
  await erased(await beginErasure(as.apiKey, { userIds, organizationId }));
  const shown = await must(webhookDeliveriesGet, { as, data: { endpointId } });
  expect(JSON.stringify(shown)).toContain(`${zoe}, 17, then`);
});

it("no answer stays to a delivery that named the user, since an answer can spell an id in many ways", async () => {
  const as = await hooked();
  const userId = "zoë@example.org";
  const { url } = await receiver((response) => response.writeHead(500).end(JSON.stringify("zo\\u00eb")));
  const { id: endpointId } = await addEndpoint(as.apiKey, { url });
  await emit(as.apiKey, eventOf(as.apiKey, "d", { type: "user.add", data: { userId } }), eventOf(as.apiKey));
  await erased(await beginErasure(as.apiKey, { userIds: [userId] }));
  const last = new Map((await deliveriesOf(as.apiKey, endpointId)).map((each) => [each.event, each.last]));
  expect(last.get("user.add")).not.toHaveProperty("answer");
  expect(last.get("document.add")).toHaveProperty("answer");
});

it.each([
  ["that has failed", { "webhook-delivery": "abort-message" }],
  ["that waits for its next attempt", { "retry-after": "7200" }],
])("a retry by hand does not restore the user in a delivery %s", async (_, headers) => {
  const as = await hooked();
  const { url } = await receiver((response) => response.writeHead(503, headers).end());
  const { id: endpointId } = await addEndpoint(as.apiKey, { url });
  await emit(as.apiKey, eventOf(as.apiKey, "d", { type: "user.add", data: { userId: zoe } }));
  const [{ id: webhookId } = expect.fail()] = await deliveriesOf(as.apiKey, endpointId);
  let isErased = false;
  interceptStore(async ({ constructor: { name }, input }) => {
    if (isErased || name !== "TransactWriteCommand" || !JSON.stringify(input).includes(webhookId)) return;
    isErased = true;
    await erased(await beginErasure(as.apiKey, { userIds: [zoe] }));
  });
  const retry = () => must(webhookDeliveriesRetry, { as, data: { endpointId, webhookId } });
  expect(await retry()).toEqual({ retried: 0, hasMore: false });
  vi.restoreAllMocks();
  expect(isErased).toBe(true);
  expect(await retry()).toEqual({ retried: 1, hasMore: false });
  const shown = await must(webhookDeliveriesGet, { as, data: { endpointId, deliveryId: webhookId } });
  expect(shown.deliveries[0].payload).toContain("erased-");
  expect(JSON.stringify(shown)).not.toContain(zoe);
});
