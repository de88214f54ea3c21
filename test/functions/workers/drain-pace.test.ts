// The rate limit of an endpoint, and a receiver that never responds.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drain } from "../../../functions/workers/drain.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { timeoutMs } from "../../../lib/webhooks/attempt-delivery.ts";
import { drainJob } from "../../../lib/webhooks/endpoint-jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import { inFakeTime, untilHolds } from "../../support/turns.ts";
import {
  addEndpoint,
  deliveriesOf,
  drainJobOf,
  emit,
  eventOf,
  hooked,
  outbox,
  receiver,
} from "../../support/webhooks.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("makes at most as many attempts a second as the rate limit, over several runs", async () => {
  const { apiKey } = await hooked();
  const { received, url } = await receiver();
  const { id } = await addEndpoint(apiKey, { url, rateLimit: 20 });
  await inFakeTime(emit(apiKey, ...Array.from({ length: 25 }, (_, index) => eventOf(apiKey, `a${index}`))));
  await inFakeTime(emit(apiKey, ...Array.from({ length: 25 }, (_, index) => eventOf(apiKey, `b${index}`))));
  expect(received).toHaveLength(50);
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
  // One batch of messages: the job of the silent receiver runs until its attempt times out.
  const jobOf = ({ id }: { id: string }) => drainJob({ workspace: apiKey, endpointId: id }).id;
  const both = deliver(drain, [dead, alive].map(jobOf));
  const isIdle = async () => silent.received.length === 1 && (await drainJobOf(apiKey, alive.id))?.state !== "running";
  await inFakeTime(untilHolds(isIdle));
  expect(living.received).toHaveLength(1);
  await inFakeTime(emit(apiKey, eventOf(apiKey, "again")));
  expect(living.received).toHaveLength(2);
  expect(await hasFailed()).toBe(false);
  vi.advanceTimersByTime(timeoutMs);
  await inFakeTime(both);
  expect(await hasFailed()).toBe(true);
});
