import { beforeEach, describe, expect, it } from "vitest";
import { webhookDeliveriesGet } from "../../../functions/webhooks/webhook-deliveries-get.ts";
import { webhookDeliveriesRetry } from "../../../functions/webhooks/webhook-deliveries-retry.ts";
import { webhookEndpointsDelete } from "../../../functions/webhooks/webhook-endpoints-delete.ts";
import { webhookSecretGet } from "../../../functions/webhooks/webhook-secret-get.ts";
import { webhookSecretRotate } from "../../../functions/webhooks/webhook-secret-rotate.ts";
import { webhookTest } from "../../../functions/webhooks/webhook-test.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import { signingSecrets } from "../../../lib/webhooks/endpoint-secrets.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { logText } from "../../support/capture-logs.ts";
import { jobsOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import { addEndpoint, emit, eventOf, hooked, outbox, receiver, runDrains, runWaiting } from "../../support/webhooks.ts";

let as: Credentials;
beforeEach(async () => {
  as = await hooked();
});

const last = { at: "2026-01-31T12:00:00.000Z", durationMs: 3, code: 500, answer: "no" };
const start = Date.parse("2026-01-31T12:00:00Z");

/** Adds deliveries one second apart: the first `failed` have failed, the others are pending. Returns their ids. */
async function fill(endpointId: string, count: number, failed: number): Promise<string[]> {
  const deliveries = Array.from({ length: count }, (_, index) =>
    deliveryOf(eventOf(as.apiKey), new Date(start + index * 1_000).toISOString(), `o${index}`, endpointId),
  );
  const ref = { workspace: as.apiKey };
  await Delivery.add(ref, deliveries);
  for (const each of deliveries.slice(0, failed)) await Delivery.fail(ref, each, last);
  return deliveries.map(({ id }) => id);
}

describe("deliveries/get", () => {
  it("returns attempted and pending deliveries once each, newest event first", async () => {
    const { id: endpointId } = await addEndpoint(as.apiKey, { url: "https://example.com" });
    const ids = await fill(endpointId, 9, 4);
    const seen: { webhookId: string; status: string }[] = [];
    let pageToken: string | null = null;
    do {
      const page: { deliveries: typeof seen; nextPageToken: string | null } = await must(webhookDeliveriesGet, {
        as,
        data: { endpointId, pageSize: 2, pageToken },
      });
      seen.push(...page.deliveries);
      pageToken = page.nextPageToken;
    } while (pageToken);
    expect(seen.map(({ webhookId }) => webhookId)).toEqual(ids.toReversed());
    expect(seen.map(({ status }) => status)).toEqual([...Array(5).fill("pending"), ...Array(4).fill("failed")]);
    expect(seen.at(-1)).toMatchObject({ attempts: 1, code: 500, answer: "no", lastAttemptAt: last.at, error: null });
  });

  it("returns only the deliveries of a state, however many newer ones have another", async () => {
    const { id: endpointId } = await addEndpoint(as.apiKey, { url: "https://example.com" });
    const ids = await fill(endpointId, 60, 3);
    const pagesOf = async (status: string) => {
      const seen: string[] = [];
      let pageToken: string | null = null;
      do {
        const page: { deliveries: { webhookId: string }[]; nextPageToken: string | null } = await must(
          webhookDeliveriesGet,
          { as, data: { endpointId, status, pageSize: 2, pageToken } },
        );
        seen.push(...page.deliveries.map(({ webhookId }) => webhookId));
        pageToken = page.nextPageToken;
      } while (pageToken);
      return seen;
    };
    expect(await pagesOf("failed")).toEqual(ids.slice(0, 3).toReversed());
    expect(await pagesOf("pending")).toEqual(ids.slice(3).toReversed());
    expect(await pagesOf("delivered")).toEqual([]);
    const { nextPageToken: pageToken } = await must(webhookDeliveriesGet, { as, data: { endpointId, pageSize: 2 } });
    const refused = [
      { endpointId, status: "failed", pageToken },
      { endpointId, status: "failed", deliveryId: ids[0] },
      { endpointId, status: "lost" },
    ];
    for (const data of refused)
      expect((await call(webhookDeliveriesGet, { as, data })).error?.status).toBe("INVALID_ARGUMENT");
  });

  it("names the organization and the document of each event, in every state", async () => {
    let isUp = false;
    const { url } = await receiver((response) => response.writeHead(isUp ? 200 : 500).end());
    const { id: endpointId } = await addEndpoint(as.apiKey, { url });
    const about = async () => (await must(webhookDeliveriesGet, { as, data: { endpointId } })).deliveries;
    const shown = { organizationId: "o", documentId: "plan" };
    await deliver(fanout, [await outbox(as.apiKey, eventOf(as.apiKey, "plan"))]);
    expect(await about()).toMatchObject([{ ...shown, attempts: 0 }]);
    await runDrains(as.apiKey);
    expect(await about()).toMatchObject([{ ...shown, attempts: 1, status: "pending" }]);
    isUp = true;
    await must(webhookTest, { as, data: { endpointId } });
    await runWaiting(as.apiKey);
    expect(await about()).toMatchObject([{ organizationId: null, documentId: null, status: "delivered" }, shown]);
  });
});

describe("deliveries/retry", () => {
  it("retries one delivery, or all that failed since a time, under the same webhook-ids", async () => {
    const { received, url } = await receiver();
    const { id: endpointId } = await addEndpoint(as.apiKey, { url });
    const ids = await fill(endpointId, 4, 4);
    const retry = (data: object) => must(webhookDeliveriesRetry, { as, data: { endpointId, ...data } });
    expect(await retry({ webhookId: ids[0] })).toEqual({ retried: 1, hasMore: false });
    expect(await retry({ webhookId: ids[0] })).toEqual({ retried: 0, hasMore: false });
    expect(await retry({ failedSince: start / 1_000 + 2 })).toEqual({ retried: 2, hasMore: false });
    await runWaiting(as.apiKey);
    expect(received.map(({ headers }) => headers["webhook-id"]).sort()).toEqual([ids[0], ids[2], ids[3]]);
    const unknown = { endpointId, webhookId: "msg_unknown" };
    expect((await call(webhookDeliveriesRetry, { as, data: unknown })).error?.status).toBe("NOT_FOUND");
    for (const data of [{ endpointId }, { endpointId, webhookId: "x", failedSince: 1 }]) {
      expect((await call(webhookDeliveriesRetry, { as, data })).error?.status).toBe("INVALID_ARGUMENT");
    }
  });
});

describe("deliveries/retry of a delivery that waits for its next attempt", () => {
  it("sends it at once, and only once; an attempt that is due within a minute stays", async () => {
    let isUp = false;
    const { received, url } = await receiver((response) =>
      response.writeHead(isUp ? 200 : 503, { "retry-after": "1560" }).end(),
    );
    const { id: endpointId } = await addEndpoint(as.apiKey, { url });
    await emit(as.apiKey, eventOf(as.apiKey));
    const shown = async () => (await must(webhookDeliveriesGet, { as, data: { endpointId } })).deliveries[0];
    const webhookId = (await shown())?.webhookId;
    isUp = true;
    const retry = () => must(webhookDeliveriesRetry, { as, data: { endpointId, webhookId } });
    expect((await Promise.all([retry(), retry()])).map(({ retried }) => retried).sort()).toEqual([0, 1]);
    expect(await retry()).toEqual({ retried: 0, hasMore: false });
    await runWaiting(as.apiKey);
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([webhookId, webhookId]);
    expect(await shown()).toMatchObject({ status: "delivered", attempts: 2 });
    expect(await retry()).toEqual({ retried: 0, hasMore: false });
  });
});

describe("endpoints/test", () => {
  it("sends one event, whatever the endpoint's filters", async () => {
    const { received, url } = await receiver();
    const { id: endpointId } = await addEndpoint(as.apiKey, { url, filterTypes: ["a.b"], channels: ["none"] });
    const { webhookId } = await must(webhookTest, { as, data: { endpointId } });
    await runWaiting(as.apiKey);
    expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event: "webhook_endpoint.test", webhookId, data: { endpointId } },
    ]);
  });
});

describe("endpoints/secret", () => {
  it("returns the secret, a new one after each rotation, and never logs one", async () => {
    const { id: endpointId } = await addEndpoint(as.apiKey, { url: "https://example.com" });
    const secretOf = async () => (await must(webhookSecretGet, { as, data: { endpointId } })).secret;
    const first = await secretOf();
    expect(first).toMatch(/^whsec_[\w+/]{32}$/);
    const rotate = async () => (await must(webhookSecretRotate, { as, data: { endpointId } })).secret;
    const rotated = await Promise.all([rotate(), rotate()]);
    expect(rotated).toContain(await secretOf());
    expect(new Set([first, ...rotated]).size).toBe(3);
    for (const secret of [first, ...rotated]) expect(logText()).not.toContain(secret);
  });
});

describe("endpoints/secret/rotate", () => {
  it("keeps each former secret valid for its 24 hours: a fifth rotation is refused, unless it ends them now", async () => {
    const { id: endpointId } = await addEndpoint(as.apiKey, { url: "https://example.com" });
    const signing = async () => {
      const endpoint = await WebhookEndpoint.get({ workspace: as.apiKey, endpointId });
      const known = endpoint as WebhookEndpoint.WebhookEndpoint;
      return (await signingSecrets({ workspace: as.apiKey }, known, Date.now())).map((secret) => secret.reveal());
    };
    const secrets = await signing();
    for (let index = 0; index < 4; index++) {
      secrets.unshift((await must(webhookSecretRotate, { as, data: { endpointId } })).secret);
    }
    const { error, headers } = await call(webhookSecretRotate, { as, data: { endpointId } });
    expect(error).toMatchObject({ status: "RESOURCE_EXHAUSTED", message: expect.stringContaining("endFormerNow") });
    expect(Number(headers["retry-after"])).toBeGreaterThan(24 * 3_600 - 600);
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(24 * 3_600);
    expect(await signing()).toEqual(secrets);
    const { secret } = await must(webhookSecretRotate, { as, data: { endpointId, endFormerNow: true } });
    expect(await signing()).toEqual([secret]);
  });
});

describe("endpoints/delete", () => {
  it("stops deliveries immediately, and stores a purge job for the stored ones", async () => {
    const { received, url } = await receiver();
    const { id: endpointId } = await addEndpoint(as.apiKey, { url });
    await fill(endpointId, 2, 1);
    expect(await must(webhookEndpointsDelete, { as, data: { endpointId } })).toEqual({ endpointId, deleted: true });
    await emit(as.apiKey, eventOf(as.apiKey));
    expect(received).toEqual([]);
    const [purge] = await jobsOf(as, "purge");
    expect(purge?.payload.partitions).toHaveLength(3);
    for (const endpoint of [
      webhookEndpointsDelete,
      webhookSecretGet,
      webhookSecretRotate,
      webhookTest,
      webhookDeliveriesGet,
    ]) {
      expect((await call(endpoint, { as, data: { endpointId } })).error?.status).toBe("NOT_FOUND");
    }
  });
});
