// Real time and real receivers: the rate of an endpoint, and receivers that never respond.
import { afterEach, expect, it, vi } from "vitest";
import { drain } from "../../../functions/workers/drain.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import * as WebhookEndpoint from "../../../lib/store/webhook-endpoint.ts";
import { drainJob } from "../../../lib/webhooks/drain-job.ts";
import { deliver } from "../../support/run-worker.ts";
import { addEndpoint, emit, eventOf, hooked, outbox, receiver } from "../../support/webhooks.ts";

afterEach(() => void vi.restoreAllMocks());

it("makes no more attempts a second than the rate, over several runs", async () => {
  const { apiKey } = await hooked();
  const { received, url } = await receiver();
  await addEndpoint(apiKey, { url, rateLimit: 20 });
  await emit(apiKey, ...Array.from({ length: 25 }, (_, index) => eventOf(apiKey, `a${index}`)));
  await emit(apiKey, ...Array.from({ length: 25 }, (_, index) => eventOf(apiKey, `b${index}`)));
  expect(received).toHaveLength(50);
  const starts = received.map(({ at }) => at).sort((one, other) => one - other);
  // A request arrives some time after its start, so this bound is below the second that holds for starts.
  for (const [index, start] of starts.slice(20).entries()) expect(start - (starts[index] ?? 0)).toBeGreaterThan(700);
});

it("delivers to other endpoints while one receiver never responds", async () => {
  const { apiKey } = await hooked();
  const silent = await receiver(() => {});
  const living = await receiver();
  const dead = await addEndpoint(apiKey, { url: silent.url });
  const alive = await addEndpoint(apiKey, { url: living.url });
  await deliver(fanout, [await outbox(apiKey, eventOf(apiKey))]);
  // One batch of messages: the run of the silent one lasts until its attempt times out after 15 seconds.
  const both = deliver(
    drain,
    [dead, alive].map(({ id }) => drainJob({ workspace: apiKey, endpointId: id }).id),
  );
  await vi.waitFor(() => expect(living.received).toHaveLength(1), 10_000);
  await emit(apiKey, eventOf(apiKey, "again"));
  expect(living.received).toHaveLength(2);
  await both;
  expect(await WebhookEndpoint.get({ workspace: apiKey, endpointId: dead.id })).toHaveProperty("failingSince");
});

it("makes no attempt after the endpoint is disabled", async () => {
  const { apiKey } = await hooked();
  const { received, url } = await receiver(async (response) => {
    await WebhookEndpoint.update({ workspace: apiKey, endpointId: id }, { set: { disabled: true } });
    response.end();
  });
  const { id } = await addEndpoint(apiKey, { url, rateLimit: 1 });
  await emit(apiKey, ...["a", "b", "c"].map((each) => eventOf(apiKey, each)));
  expect(received).toHaveLength(1);
});
