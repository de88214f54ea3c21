// With a real clock: the rate limit of an endpoint, and a receiver that never responds.
import { afterEach, expect, it, vi } from "vitest";
import { drain } from "../../../functions/workers/drain.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import * as WebhookEndpoint from "../../../lib/store/webhook-endpoint.ts";
import { drainJob } from "../../../lib/webhooks/drain-job.ts";
import { deliver } from "../../support/run-worker.ts";
import { addEndpoint, deliveriesOf, emit, eventOf, hooked, outbox, receiver } from "../../support/webhooks.ts";

afterEach(() => void vi.restoreAllMocks());

it("makes at most as many attempts a second as the rate limit, over several runs", async () => {
  const { apiKey } = await hooked();
  const { received, url } = await receiver();
  const { id } = await addEndpoint(apiKey, { url, rateLimit: 20 });
  await emit(apiKey, ...Array.from({ length: 25 }, (_, index) => eventOf(apiKey, `a${index}`)));
  await emit(apiKey, ...Array.from({ length: 25 }, (_, index) => eventOf(apiKey, `b${index}`)));
  expect(received).toHaveLength(50);
  // The log has the start of each attempt. On a slow machine, the receiver's times are later.
  const starts = (await deliveriesOf(apiKey, id)).map(({ last }) => Date.parse(last.at)).sort((a, b) => a - b);
  expect(starts).toHaveLength(50);
  for (const [index, at] of starts.slice(20).entries()) expect(at - (starts[index] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

it("delivers to other endpoints while one receiver never responds", async () => {
  const { apiKey } = await hooked();
  const silent = await receiver(() => {});
  const living = await receiver();
  const dead = await addEndpoint(apiKey, { url: silent.url });
  const alive = await addEndpoint(apiKey, { url: living.url });
  await deliver(fanout, [await outbox(apiKey, eventOf(apiKey))]);
  const hasFailed = async () =>
    (await WebhookEndpoint.get({ workspace: apiKey, endpointId: dead.id }))?.failingSince !== undefined;
  // One batch of messages: the job of the silent receiver runs until its attempt times out after 15 seconds.
  const jobOf = ({ id }: { id: string }) => drainJob({ workspace: apiKey, endpointId: id }).id;
  const both = deliver(drain, [dead, alive].map(jobOf));
  await vi.waitUntil(() => living.received.length === 1, 60_000);
  await emit(apiKey, eventOf(apiKey, "again"));
  // The run may have ended just before this event was emitted. Then the job waits, and a new message starts it.
  const isDelivered = async () => {
    if (living.received.length === 1) await deliver(drain, [jobOf(alive)]);
    return living.received.length === 2;
  };
  await vi.waitUntil(isDelivered, 10_000);
  expect(await hasFailed()).toBe(false);
  await both;
  expect(await hasFailed()).toBe(true);
});
