// A receiver that has too much to do gets no attempt for a while (DECISIONS.md#delivery-attempts).
import { beforeEach, describe, expect, it } from "vitest";
import { webhookEndpointsGet } from "../../../functions/webhooks/webhook-endpoints-get.ts";
import { webhookEndpointsUpdate } from "../../../functions/webhooks/webhook-endpoints-update.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import {
  addEndpoint,
  deliveriesOf,
  drainJobOf,
  emit,
  eventOf,
  hooked,
  receiver,
  runDrains,
  runWaiting,
} from "../../support/webhooks.ts";

fakeDates();

let as: Credentials;
let workspace: string;
beforeEach(async () => {
  as = await hooked();
  workspace = as.apiKey;
});

const hour = 3_600;

/** When the endpoint's pause ends, in seconds from now; null: it is not paused. */
async function pauseOf(id: string): Promise<number | null> {
  const { endpoints } = await must(webhookEndpointsGet, { as, data: {} });
  const { pausedUntil } = endpoints.find((each: { id: string }) => each.id === id) ?? {};
  return pausedUntil === null ? null : (Date.parse(pausedUntil) - Date.now()) / 1_000;
}

const change = (endpointId: string, fields: object) =>
  must(webhookEndpointsUpdate, { as, data: { endpointId, ...fields } });

interface Reply {
  status: number;
  retryAfter?: string;
}

/** An endpoint whose receiver replies so. It has no rate limit of its own. */
async function endpointWith(reply: Reply, before: () => Promise<unknown> = async () => {}) {
  const { received, url } = await receiver(async (response) => {
    const { status, retryAfter } = reply;
    await before();
    response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end();
  });
  return { received, id: (await addEndpoint(workspace, { url })).id };
}

const ten = () => Array.from({ length: 10 }, (_, index) => eventOf(workspace, `later${index}`));

describe.each([
  { status: 429 },
  { status: 502 },
  { status: 504 },
  { status: 429, retryAfter: "600" },
  { status: 503, retryAfter: "600" },
])("a reply %o", (reply) => {
  it("pauses the endpoint: further events wait, use up no attempt, and are sent when the pause ends", async () => {
    const now = { ...reply };
    const { received, id } = await endpointWith(now);
    const other = await receiver();
    await addEndpoint(workspace, { url: other.url });
    await emit(workspace, eventOf(workspace, "first"));
    await emit(workspace, ...ten());
    const seconds = (await pauseOf(id)) ?? 0;
    expect(seconds).toBe(reply.retryAfter === undefined ? 5 : 600);
    expect((await drainJobOf(workspace, id))?.dueAt).toBe(Date.now() + seconds * 1_000);
    later(seconds - 1);
    await runDrains(workspace);
    expect(received).toHaveLength(1);
    expect(other.received).toHaveLength(11);
    Object.assign(now, { status: 200 });
    // The failed one is due up to a tenth later than its step.
    later(2);
    expect(await pauseOf(id)).toBe(null);
    await runDrains(workspace);
    expect(received).toHaveLength(12);
    const attempts = (await deliveriesOf(workspace, id)).map(({ status, attempts }) => `${status} ${attempts}`);
    expect(attempts.sort()).toEqual([...new Array(10).fill("delivered 1"), "delivered 2"]);
  });
});

it.each([
  { status: 500 },
  { status: 503 },
  { status: 404 },
  { status: 500, retryAfter: "60" },
  { status: 200, retryAfter: "60" },
])("a reply %o does not pause the endpoint", async (reply) => {
  const { received, id } = await endpointWith(reply);
  await emit(workspace, eventOf(workspace, "first"));
  await emit(workspace, ...ten());
  expect(received).toHaveLength(11);
  expect(await pauseOf(id)).toBe(null);
});

it.each([
  ["1", 1],
  [" 120 ", 120],
  ["0", 5],
  ["soon", 5],
  ["-30", 5],
  ["99999999999999999999", 12 * hour],
  [() => new Date(Date.now() + 90_000).toUTCString(), 90],
  [() => new Date(Date.now() - 90_000).toUTCString(), 5],
])("takes Retry-After %s as a pause of %i seconds", async (given, seconds) => {
  const { id } = await endpointWith({ status: 429, retryAfter: typeof given === "string" ? given : given() });
  await emit(workspace, eventOf(workspace));
  // A date has no milliseconds.
  expect(Math.ceil((await pauseOf(id)) ?? -1)).toBe(seconds);
});

it("pauses for half of the time since which nothing succeeded, up to 15 minutes", async () => {
  const { id } = await endpointWith({ status: 502 });
  const pauses: (number | null)[] = [];
  for (const seconds of [0, 60, 600, 1_200, 86_400]) {
    later(seconds);
    await emit(workspace, eventOf(workspace, String(seconds)));
    pauses.push(await pauseOf(id));
  }
  expect(pauses).toEqual([5, 30, 330, 900, 900]);
});

it("keeps the longer one of two pauses", async () => {
  const reply = { status: 429, retryAfter: "600" };
  const { id } = await endpointWith(reply, async () => Object.assign(reply, { retryAfter: "30" }));
  await emit(workspace, eventOf(workspace, "one"), eventOf(workspace, "two"));
  expect(await pauseOf(id)).toBe(600);
});

it("also stops the attempts of a run that wait for slots of the rate limit", async () => {
  const { received, url } = await receiver((response) => response.writeHead(429, { "retry-after": "60" }).end());
  const { id } = await addEndpoint(workspace, { url, rateLimit: 1 });
  const pausing = { set: { pausedUntil: Date.now() + 60_000 } };
  await WebhookEndpoint.update({ workspace, endpointId: id }, pausing);
  await emit(workspace, ...ten());
  expect(received).toHaveLength(0);
  expect((await deliveriesOf(workspace, id)).every(({ attempts }) => attempts === 0)).toBe(true);
});

describe("a change of the endpoint", () => {
  it("during the attempt, to another address: the reply of the former one does not pause it", async () => {
    const other = await receiver();
    const { id } = await endpointWith({ status: 429, retryAfter: "600" }, () => change(id, { url: other.url }));
    await emit(workspace, eventOf(workspace, "first"));
    expect(await pauseOf(id)).toBe(null);
    await emit(workspace, ...ten());
    expect(other.received).toHaveLength(10);
  });

  it("to another address ends the pause, and what waits is sent", async () => {
    const other = await receiver();
    const { id } = await endpointWith({ status: 429, retryAfter: "600" });
    await emit(workspace, eventOf(workspace, "first"));
    await emit(workspace, ...ten());
    expect(await change(id, { description: "Slow." })).toMatchObject({ pausedUntil: expect.any(String) });
    expect(await change(id, { url: other.url })).toMatchObject({ pausedUntil: null });
    await runWaiting(workspace);
    expect(other.received).toHaveLength(10);
  });

  it("from enabled to disabled and back ends the pause", async () => {
    const { received, id } = await endpointWith({ status: 429, retryAfter: "600" });
    await emit(workspace, eventOf(workspace, "first"));
    await emit(workspace, eventOf(workspace, "second"));
    await change(id, { disabled: true });
    expect(await change(id, { disabled: false })).toMatchObject({ pausedUntil: null });
    await runWaiting(workspace);
    expect(received).toHaveLength(2);
  });
});
