import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { purposes } from "../../../lib/secrets.ts";
import * as Setting from "../../../lib/store/setting.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import { oneDelivery } from "../../../lib/store/webhooks/delivery-page.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { rotateSecret, switchWebhooks, updateEndpoint } from "../../../lib/webhooks/configure.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import { mockQueue } from "../../support/aws/mock-queue.ts";
import { jobsOf } from "../../support/jobs.ts";
import { unseal } from "../../support/unsealed.ts";
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

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const day = 24 * 3_600_000;
let workspace: string;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  workspace = (await hooked()).apiKey;
});
afterEach(() => void vi.useRealTimers());

const endpoint = (endpointId: string) => ({ workspace, endpointId });
const secretOf = async (id: string) => {
  const { secrets = [] } = (await WebhookEndpoint.get(endpoint(id))) ?? {};
  return unseal(secrets[0]?.sealed ?? "", { workspace, purpose: purposes.webhookSecret });
};
const change = async (id: string, fields: object) =>
  updateEndpoint(endpoint(id), fields, {
    switches: await Setting.get({ workspace }, "switches"),
    webhooks: await Setting.get({ workspace }, "webhooks"),
  });

describe("a delivery", () => {
  it("arrives once and signed, is logged with the response, and leaves no pending work", async () => {
    const { received, url } = await receiver((response) => response.writeHead(202).end("thanks"));
    const { id } = await addEndpoint(workspace, { url: `${url}` });
    await emit(workspace, eventOf(workspace));
    expect(received).toHaveLength(1);
    const [{ headers, body } = expect.fail()] = received;
    const verified = new Webhook(await secretOf(id)).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({
      event: "document.add",
      webhookId: headers["webhook-id"],
      data: { documentId: "d" },
    });
    expect(await deliveriesOf(workspace, id)).toMatchObject([
      { id: headers["webhook-id"], status: "delivered", attempts: 1, last: { code: 202, answer: "thanks" } },
    ]);
    expect(await Delivery.nextDueAt(endpoint(id))).toBeUndefined();
    expect(await drainJobOf(workspace, id)).toMatchObject({ state: "done" });
  });

  it("is retried with the same id and body after a failure, and not before it is due", async () => {
    let isUp = false;
    const { received, url } = await receiver((response) => response.writeHead(isUp ? 200 : 500).end("x".repeat(5_000)));
    const { id } = await addEndpoint(workspace, { url });
    await emit(workspace, eventOf(workspace));
    const [logged] = await deliveriesOf(workspace, id);
    expect(logged).toMatchObject({ status: "pending", attempts: 1, last: { code: 500, answer: "x".repeat(1_024) } });
    const wait = Date.parse(logged?.nextAttemptAt ?? "") - Date.now();
    expect(wait).toBeGreaterThanOrEqual(4_500);
    expect(wait).toBeLessThanOrEqual(5_500);
    later(wait - 1);
    await runDrains(workspace);
    expect(received).toHaveLength(1);
    isUp = true;
    // The job is due at a whole second.
    later(1_000);
    await runDrains(workspace);
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
    expect(await deliveriesOf(workspace, id)).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });

  it("is tried eight times with two messages of the drain to its own queue: the sweeper sends the later ones", async () => {
    const queue = mockQueue();
    const { received, url } = await receiver((response) => response.writeHead(500).end());
    const { id } = await addEndpoint(workspace, { url });
    await emit(workspace, eventOf(workspace));
    const job = await drainJobOf(workspace, id);
    const delays: (number | undefined)[] = [];
    while ((await drainJobOf(workspace, id))?.state === "waiting") {
      delays.push(queue.sent().findLast((message) => message.id === job?.id)?.delaySeconds);
      queue.reset();
      later(12 * 3_600_000);
      await runDrains(workspace);
    }
    expect(received).toHaveLength(8);
    expect(delays.map((delay) => delay !== undefined)).toEqual([true, true, false, false, false, false, false]);
    vi.restoreAllMocks();
  });

  it("ends as failed after eight attempts, and keeps its body in the log", async () => {
    const { received, url } = await receiver((response) => response.writeHead(404).end());
    const { id } = await addEndpoint(workspace, { url });
    await emit(workspace, eventOf(workspace));
    for (let run = 0; run < 12; run++) {
      later(12 * 3_600_000);
      await runDrains(workspace);
    }
    expect(received).toHaveLength(8);
    expect(await deliveriesOf(workspace, id)).toMatchObject([{ status: "failed", attempts: 8, last: { code: 404 } }]);
    const [{ id: deliveryId } = expect.fail()] = await deliveriesOf(workspace, id);
    expect((await oneDelivery(endpoint(id), deliveryId))?.body).toBe(received[0]?.body);
    expect(await drainJobOf(workspace, id)).toMatchObject({ state: "done" });
  });

  it("fails on abort-message, waits for the time in Retry-After, and follows no redirect", async () => {
    const other = await receiver();
    const answers = [
      { "webhook-delivery": "abort-message" },
      { "retry-after": "600" },
      { location: other.url },
    ] as const;
    const { url } = await receiver((response, { body }) => {
      const index = Number(JSON.parse(body).documentId);
      response.writeHead(index === 2 ? 307 : 503, answers[index]).end();
    });
    const { id } = await addEndpoint(workspace, { url });
    await emit(workspace, ...["0", "1", "2"].map((each) => eventOf(workspace, each)));
    const byDocument = new Map((await deliveriesOf(workspace, id)).map((each) => [each.last.code, each] as const));
    expect(byDocument.get(307)).toMatchObject({ status: "pending" });
    const rest = (await deliveriesOf(workspace, id)).filter(({ last }) => last.code === 503);
    expect(rest.map(({ status }) => status).sort()).toEqual(["failed", "pending"]);
    const dueAt = rest.find(({ status }) => status === "pending")?.nextAttemptAt ?? "";
    expect(Date.parse(dueAt) - Date.now()).toBe(600_000);
    expect(other.received).toEqual([]);
  });

  it("is not sent to an address that is not public, and the log does not show the address", async () => {
    const { id } = await addEndpoint(workspace, { url: "https://example.com/" });
    await WebhookEndpoint.update(endpoint(id), { set: { url: "http://10.0.0.1/" } });
    await emit(workspace, eventOf(workspace));
    const [logged] = await deliveriesOf(workspace, id);
    expect(logged?.last).toMatchObject({ error: "The URL does not lead to a public address." });
    expect(JSON.stringify(logged)).not.toContain("10.0.0.1");
  });

  it("has a second signature with the old secret for a day after a rotation", async () => {
    const { received, url } = await receiver();
    const { id } = await addEndpoint(workspace, { url });
    const old = await secretOf(id);
    const secret = await rotateSecret(endpoint(id));
    await emit(workspace, eventOf(workspace));
    later(day);
    await emit(workspace, eventOf(workspace));
    const signatures = received.map(({ headers }) => String(headers["webhook-signature"]).split(" "));
    expect(signatures.map((each) => each.length)).toEqual([2, 1]);
    const [first, second] = received.map(({ headers, body }) => ({ headers: headers as Record<string, string>, body }));
    vi.setSystemTime(Date.now() - day);
    for (const each of [old, secret]) new Webhook(each).verify(first?.body ?? "", first?.headers ?? {});
    later(day);
    new Webhook(secret).verify(second?.body ?? "", second?.headers ?? {});
  });
});

describe("a disabled endpoint", () => {
  it("gets no attempts, and gets its pending deliveries when it is enabled", async () => {
    const { received, url } = await receiver();
    const { id } = await addEndpoint(workspace, { url });
    await WebhookEndpoint.update(endpoint(id), { set: { disabled: true } });
    await Delivery.add({ workspace }, [pending(id)]);
    await runDrains(workspace);
    expect(received).toHaveLength(0);
    await change(id, { disabled: false });
    await runWaiting(workspace);
    expect(received).toHaveLength(1);
    expect(await deliveriesOf(workspace, id)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  it("gets its pending deliveries when webhooks are switched on again", async () => {
    const { received, url } = await receiver();
    const { id } = await addEndpoint(workspace, { url });
    await Delivery.add({ workspace }, [pending(id)]);
    await switchWebhooks({ workspace }, false);
    await runDrains(workspace);
    expect(received).toHaveLength(0);
    await switchWebhooks({ workspace }, true);
    await runWaiting(workspace);
    expect(received).toHaveLength(1);
  });
});

function pending(endpointId: string): Delivery.Pending {
  return deliveryOf(eventOf(workspace), new Date().toISOString(), "origin", endpointId);
}

describe("a failing endpoint", () => {
  it("is disabled after five days with three failed messages and no success, and writes an event", async () => {
    const { url } = await receiver((response) => response.writeHead(500).end());
    const { id } = await addEndpoint(workspace, { url });
    await addEndpoint(workspace, { url: "https://example.com", filterTypes: ["webhook_endpoint.disabled"] });
    for (const [index, wait] of [1, 1, 2, 1].entries()) {
      await emit(workspace, eventOf(workspace, String(index)));
      expect(await WebhookEndpoint.get(endpoint(id))).toMatchObject({ disabled: false });
      later(wait * day);
    }
    await emit(workspace, eventOf(workspace, "last"));
    expect(await WebhookEndpoint.get(endpoint(id))).toMatchObject({ disabled: true });
    expect((await Setting.get({ workspace }, "webhooks")).wantedEvents).toEqual(["webhook_endpoint.disabled"]);
    const events = (await jobsOf({ apiKey: workspace }, "fanout")).flatMap(({ payload }) => payload.events);
    expect(events).toMatchObject([{ type: "webhook_endpoint.disabled", data: { endpointId: id } }]);
  });

  it("stays enabled after a success in between, or with fewer than three failed messages", async () => {
    let status = 500;
    const { url } = await receiver((response) => response.writeHead(status).end());
    const { id } = await addEndpoint(workspace, { url });
    for (const each of [500, 500, 200, 500, 500]) {
      status = each;
      await emit(workspace, eventOf(workspace, "x"));
      later(2 * day);
    }
    expect(await WebhookEndpoint.get(endpoint(id))).toMatchObject({ disabled: false });
  });
});

describe("a response", () => {
  it("with a redirect is not followed", async () => {
    const inner = await receiver();
    const outer = await receiver((response) => response.writeHead(302, { location: inner.url }).end());
    const { id } = await addEndpoint(workspace, { url: outer.url });
    await emit(workspace, eventOf(workspace));
    expect((await deliveriesOf(workspace, id))[0]).toMatchObject({ status: "pending", last: { code: 302 } });
    expect(inner.received).toEqual([]);
  });

  it("without an end is truncated, and the delivery succeeds", async () => {
    const { url } = await receiver((response) => {
      response.writeHead(200);
      const endless = setInterval(() => response.write("x".repeat(65_536)), 1);
      response.on("close", () => clearInterval(endless));
    });
    const { id } = await addEndpoint(workspace, { url });
    await emit(workspace, eventOf(workspace));
    const [logged] = await deliveriesOf(workspace, id);
    expect(logged).toMatchObject({ status: "delivered", last: { code: 200, answer: "x".repeat(1_024) } });
  });
});
