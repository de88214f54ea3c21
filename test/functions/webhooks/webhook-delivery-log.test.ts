// deliveries/get with `deliveryId`: the payload and the attempts of one delivery.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { webhookDeliveriesGet } from "../../../functions/webhooks/webhook-deliveries-get.ts";
import { webhookDeliveriesRetry } from "../../../functions/webhooks/webhook-deliveries-retry.ts";
import { webhookSecretGet } from "../../../functions/webhooks/webhook-secret-get.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { addEndpoint, emit, eventOf, hooked, receiver, runDrains, runWaiting } from "../../support/webhooks.ts";

const hours = 3_600_000;
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

let as: Credentials;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  as = await hooked();
});
afterEach(() => void vi.useRealTimers());

const list = (endpointId: string) => must(webhookDeliveriesGet, { as, data: { endpointId } });
const show = async (endpointId: string, deliveryId: string) => {
  const { deliveries, nextPageToken } = await must(webhookDeliveriesGet, { as, data: { endpointId, deliveryId } });
  expect([deliveries.length, nextPageToken]).toEqual([1, null]);
  return deliveries[0] ?? expect.fail();
};

/** An endpoint with one delivery, which a run has attempted once. */
async function attempted(...[respond]: Parameters<typeof receiver>) {
  const { received, url } = await receiver(respond);
  const { id: endpointId } = await addEndpoint(as.apiKey, { url });
  await emit(as.apiKey, eventOf(as.apiKey));
  const deliveryId = (await list(endpointId)).deliveries[0]?.webhookId ?? expect.fail();
  return { received, endpointId, deliveryId };
}

describe("a delivery", () => {
  it("has its payload and every attempt, while it is pending and after it has been delivered", async () => {
    let isUp = false;
    const respond: Parameters<typeof receiver>[0] = (response) =>
      response.writeHead(isUp ? 200 : 500).end(isUp ? "thanks" : "not yet");
    const { received, endpointId, deliveryId } = await attempted(respond);
    const payload = received[0]?.body;
    const failure = {
      at: expect.any(String),
      durationMs: expect.any(Number),
      code: 500,
      answer: "not yet",
      error: null,
    };
    const pending = await show(endpointId, deliveryId);
    expect(pending).toMatchObject({ status: "pending", attempts: 1, payload, attemptLog: [failure] });
    later(6_000);
    await runDrains(as.apiKey);
    expect(await show(endpointId, deliveryId)).toMatchObject({ payload, attemptLog: [failure, failure] });
    isUp = true;
    later(12 * hours);
    await runDrains(as.apiKey);
    const done = await show(endpointId, deliveryId);
    const success = { ...failure, code: 200, answer: "thanks" };
    expect(done).toMatchObject({ status: "delivered", attempts: 3, payload, attemptLog: [failure, failure, success] });
    expect(done.lastAttemptAt).toBe(done.attemptLog?.at(-1)?.at);
  });

  it("has its payload before its first attempt, and no attempt", async () => {
    const { id: endpointId } = await addEndpoint(as.apiKey, { url: "https://example.com" });
    const delivery = deliveryOf(eventOf(as.apiKey), new Date().toISOString(), "o", endpointId);
    await Delivery.add({ workspace: as.apiKey }, [delivery]);
    const shown = await show(endpointId, delivery.id);
    expect(shown).toMatchObject({ status: "pending", attempts: 0, payload: delivery.body, attemptLog: [] });
  });

  it("keeps the last 16 attempts over manual retries, and its payload", async () => {
    const { received, endpointId, deliveryId } = await attempted((response) => response.writeHead(500).end());
    for (let round = 0; round < 3; round++) {
      for (let run = 0; run < 8; run++) {
        later(12 * hours);
        await runDrains(as.apiKey);
      }
      if (round === 2) break;
      await must(webhookDeliveriesRetry, { as, data: { endpointId, webhookId: deliveryId } });
      expect(await show(endpointId, deliveryId)).toMatchObject({ status: "pending", payload: received[0]?.body });
      await runWaiting(as.apiKey);
    }
    expect(received).toHaveLength(24);
    const shown = await show(endpointId, deliveryId);
    expect(shown).toMatchObject({ status: "failed", attempts: 24, payload: received[0]?.body });
    expect(shown.attemptLog).toHaveLength(16);
    const times = shown.attemptLog?.map((each: { at: string }) => each.at) ?? [];
    expect(times).toEqual(times.toSorted());
    expect(new Set(times).size).toBe(16);
    expect(times.at(-1)).toBe(shown.lastAttemptAt);
  });

  it("is neither listed, nor shown, nor retried 30 days after its last attempt", async () => {
    const { endpointId, deliveryId } = await attempted((response) =>
      response.writeHead(500, { "webhook-delivery": "abort-message" }).end(),
    );
    later(30 * 24 * hours - 1_000);
    expect((await list(endpointId)).deliveries).toHaveLength(1);
    later(2_000);
    expect((await list(endpointId)).deliveries).toEqual([]);
    const one = await call(webhookDeliveriesGet, { as, data: { endpointId, deliveryId } });
    expect(one.error?.status).toBe("NOT_FOUND");
    const retry = await call(webhookDeliveriesRetry, { as, data: { endpointId, webhookId: deliveryId } });
    expect(retry.error?.status).toBe("NOT_FOUND");
    expect(await must(webhookDeliveriesRetry, { as, data: { endpointId, failedSince: 0 } })).toMatchObject({
      retried: 0,
    });
    const stored = await Table.get(Delivery.loggedEntity.key({ workspace: as.apiKey, endpointId, id: deliveryId }));
    expect(stored).toBeDefined();
  });
});

describe("deliveries/retry since a time", () => {
  it("sends what failed in an outage, also what waits hours for its next attempt, and nothing else", async () => {
    let isUp = false;
    const { received, url } = await receiver((response, { body }) => {
      const isAborted = body.includes("aborted");
      response.writeHead(isUp ? 200 : 500, isAborted ? { "webhook-delivery": "abort-message" } : {}).end();
    });
    const { id: endpointId } = await addEndpoint(as.apiKey, { url });
    const old = Math.floor(Date.now() / 1_000);
    await emit(as.apiKey, eventOf(as.apiKey, "before"));
    later(60_000);
    const failedSince = Math.floor(Date.now() / 1_000);
    for (const documentId of ["aborted", "waits"]) await emit(as.apiKey, eventOf(as.apiKey, documentId));
    for (const minutes of [1, 10, 40]) {
      later(minutes * 60_000);
      await runDrains(as.apiKey);
    }
    await emit(as.apiKey, eventOf(as.apiKey, "soon"));
    isUp = true;
    await emit(as.apiKey, eventOf(as.apiKey, "delivered"));
    const retry = (since: number) => must(webhookDeliveriesRetry, { as, data: { endpointId, failedSince: since } });
    received.length = 0;
    expect(await retry(failedSince)).toEqual({ retried: 2, hasMore: false });
    expect(await retry(failedSince)).toEqual({ retried: 0, hasMore: false });
    await runWaiting(as.apiKey);
    expect(received.map(({ body }) => JSON.parse(body).documentId).sort()).toEqual(["aborted", "waits"]);
    expect(await retry(old)).toEqual({ retried: 1, hasMore: false });
    await runWaiting(as.apiKey);
    const { deliveries } = await list(endpointId);
    expect(deliveries.map(({ status }: { status: string }) => status)).toEqual([
      "delivered",
      "pending",
      ...Array(3).fill("delivered"),
    ]);
  });
});

describe("a receiver's reply", () => {
  it("is kept as well-formed text of at most 1 KB", async () => {
    const body = Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from(" é€😀".repeat(200))]);
    const { endpointId, deliveryId } = await attempted((response) => response.writeHead(500).end(body));
    const answer = (await show(endpointId, deliveryId)).attemptLog?.[0]?.answer ?? expect.fail();
    expect(answer.isWellFormed()).toBe(true);
    expect(answer.startsWith("\ufffd\ufffd é€😀 é€😀")).toBe(true);
    expect(answer.endsWith("\ufffd")).toBe(false);
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(1_024);
    expect(Buffer.byteLength(answer)).toBeGreaterThan(1_020);
  });

  it("is kept without the endpoint's secret, wherever it is in the reply", async () => {
    let secret = "";
    let before = 0;
    const { url } = await receiver((response) => {
      const named = `${secret} ${secret.replace("whsec_", "")}`;
      response.writeHead(500).end("x".repeat(before) + named);
    });
    const { id: endpointId } = await addEndpoint(as.apiKey, { url });
    secret = (await must(webhookSecretGet, { as, data: { endpointId } })).secret;
    for (before of [0, 1_000, 1_010, 1_020]) {
      await emit(as.apiKey, eventOf(as.apiKey));
      const { webhookId } = (await list(endpointId)).deliveries[0] ?? expect.fail();
      const { answer } = (await show(endpointId, webhookId)).attemptLog?.[0] ?? expect.fail();
      expect(answer).toBe(`${"x".repeat(before)}[secret] [secret]`.slice(0, 1_024));
      later(1_000);
    }
  });
});

describe("NOT_FOUND", () => {
  it.each(["msg_unknown", `msg_1767225600000_${"0".repeat(10)}_x`, "𝕏".repeat(256), "#"])(
    "of the id %s",
    async (id) => {
      const { id: endpointId } = await addEndpoint(as.apiKey, { url: "https://example.com" });
      const { error } = await call(webhookDeliveriesGet, { as, data: { endpointId, deliveryId: id } });
      expect(error?.status).toBe("NOT_FOUND");
    },
  );

  it("of another workspace's delivery, and of another endpoint's", async () => {
    const { endpointId, deliveryId } = await attempted();
    const { id: otherId } = await addEndpoint(as.apiKey, { url: "https://example.com" });
    const other = await call(webhookDeliveriesGet, { as, data: { endpointId: otherId, deliveryId } });
    expect(other.error?.status).toBe("NOT_FOUND");
    const foreign = await call(webhookDeliveriesGet, { as: await hooked(), data: { endpointId, deliveryId } });
    expect(foreign.error?.status).toBe("NOT_FOUND");
  });
});

it("INVALID_ARGUMENT: deliveryId together with a page", async () => {
  const { endpointId, deliveryId } = await attempted();
  for (const page of [{ pageSize: 5 }, { pageToken: "x" }]) {
    const { error } = await call(webhookDeliveriesGet, { as, data: { endpointId, deliveryId, ...page } });
    expect(error?.status).toBe("INVALID_ARGUMENT");
  }
});
