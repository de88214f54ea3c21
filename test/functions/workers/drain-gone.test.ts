// A receiver that says 410 (Gone) ends the deliveries to its endpoint (DECISIONS.md#delivery-attempts).
import { beforeEach, describe, expect, it } from "vitest";
import { webhookEndpointsGet } from "../../../functions/webhooks/webhook-endpoints-get.ts";
import { webhookEndpointsUpdate } from "../../../functions/webhooks/webhook-endpoints-update.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { untilHolds } from "../../support/turns.ts";
import { addEndpoint, deliveriesOf, emit, eventOf, hooked, receiver, runWaiting } from "../../support/webhooks.ts";

fakeDates();

let as: Credentials;
let workspace: string;
beforeEach(async () => {
  as = await hooked();
  workspace = as.apiKey;
});

const shown = async () => (await must(webhookEndpointsGet, { as, data: {} })).endpoints[0];
const change = (endpointId: string, fields: object) =>
  must(webhookEndpointsUpdate, { as, data: { endpointId, ...fields } });
const disablings = async () =>
  (await jobsOf(as, "fanout"))
    .flatMap(({ payload }) => payload.events as { type: string; data: object }[])
    .filter(({ type }) => type === "webhook_endpoint.disabled");

/** An endpoint whose receiver has this status, and does something before it answers. */
async function endpointWith(status: () => number, before: () => Promise<unknown> = async () => {}) {
  const { received, url } = await receiver(async (response) => {
    const code = status();
    await before();
    response.writeHead(code).end();
  });
  return { received, id: (await addEndpoint(workspace, { url })).id };
}

const reason = "Its receiver answered 410 (Gone).";

it("disables the endpoint with an event and a reason, and keeps the deliveries until it is enabled", async () => {
  let code = 410;
  const { received, id } = await endpointWith(() => code);
  await addEndpoint(workspace, { url: "https://example.com", filterTypes: ["webhook_endpoint.disabled"] });
  await emit(workspace, eventOf(workspace, "one"));
  const endpoint = (await must(webhookEndpointsGet, { as, data: {} })).endpoints.find(
    (each: { id: string }) => each.id === id,
  );
  expect(endpoint).toMatchObject({ disabled: true, disabledReason: reason });
  expect(await disablings()).toMatchObject([{ data: { endpointId: id, reason } }]);
  later(86_400);
  await emit(workspace, eventOf(workspace, "two"));
  expect(received).toHaveLength(1);
  code = 200;
  expect(await change(id, { disabled: false })).toMatchObject({ disabled: false, disabledReason: null });
  await runWaiting(workspace);
  expect(await deliveriesOf(workspace, id)).toMatchObject([{ status: "delivered", attempts: 2 }]);
});

it.each([400, 401, 404, 405, 411, 451, 500])("does not disable the endpoint for the status %s", async (status) => {
  await endpointWith(() => status);
  await emit(workspace, eventOf(workspace));
  expect(await shown()).toMatchObject({ disabled: false, disabledReason: null });
});

describe("does not disable an endpoint that was changed during the attempt", () => {
  it("to another address", async () => {
    const other = await receiver();
    const { id } = await endpointWith(
      () => 410,
      () => change(id, { url: other.url }),
    );
    await emit(workspace, eventOf(workspace));
    expect(await shown()).toMatchObject({ url: other.url, disabled: false, disabledReason: null });
    later(6);
    await runWaiting(workspace);
    expect(other.received).toHaveLength(1);
  });

  it("to another address and back", async () => {
    const other = await receiver();
    const { id } = await endpointWith(
      () => 410,
      async () => {
        const { url } = (await shown()) as { url: string };
        later(1);
        await change(id, { url: other.url });
        await change(id, { url });
      },
    );
    await emit(workspace, eventOf(workspace));
    expect(await shown()).toMatchObject({ disabled: false });
  });

  it("from disabled to enabled, after the 410 of another attempt", async () => {
    const isDisabled = Promise.withResolvers<void>();
    let attempts = 0;
    const { id } = await endpointWith(
      () => 410,
      async () => {
        if (++attempts === 1) return;
        await untilHolds(async () => (await shown())?.disabled);
        later(1);
        await change(id, { disabled: false });
        isDisabled.resolve();
      },
    );
    await emit(workspace, eventOf(workspace, "one"), eventOf(workspace, "two"));
    await isDisabled.promise;
    expect(attempts).toBe(2);
    expect(await shown()).toMatchObject({ disabled: false, disabledReason: null });
  });
});

it("shows no reason for an endpoint that its owner has disabled, and keeps the reason of one that is disabled", async () => {
  const { id } = await endpointWith(() => 410);
  expect(await change(id, { disabled: true })).toMatchObject({ disabled: true, disabledReason: null });
  await change(id, { disabled: false });
  await emit(workspace, eventOf(workspace));
  expect(await change(id, { disabled: true, description: "Gone?" })).toMatchObject({ disabledReason: reason });
  expect(await change(id, { url: "https://example.com/new" })).toMatchObject({ disabledReason: reason });
});

it("an endpoint with another address begins without the failures of the former one", async () => {
  const { id } = await endpointWith(() => 500);
  const ref = { workspace, endpointId: id };
  const failing = { failingSince: Date.now() - 6 * 86_400_000, failedMessages: ["a", "b", "c"] };
  await WebhookEndpoint.update(ref, { set: failing });
  const other = await receiver((response) => response.writeHead(500).end());
  await change(id, { url: other.url });
  await emit(workspace, eventOf(workspace));
  expect(other.received).toHaveLength(1);
  expect(await WebhookEndpoint.get(ref)).toMatchObject({ disabled: false, failingSince: Date.now() });
});
