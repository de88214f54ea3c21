// The AWS calls of the operations on a webhook endpoint, in a container that has cached the credentials.
import { expect, it } from "vitest";
import * as deliveriesGet from "../../../functions/webhooks/webhook-deliveries-get.ts";
import * as deliveriesRetry from "../../../functions/webhooks/webhook-deliveries-retry.ts";
import * as endpointsDelete from "../../../functions/webhooks/webhook-endpoints-delete.ts";
import * as endpointsGet from "../../../functions/webhooks/webhook-endpoints-get.ts";
import * as secretRotate from "../../../functions/webhooks/webhook-secret-rotate.ts";
import * as test from "../../../functions/webhooks/webhook-test.ts";
import type { Handler } from "../../../lib/http/lambda.ts";
import { settingEntity } from "../../../lib/store/setting.ts";
import { loggedEntity } from "../../../lib/store/webhooks/delivery.ts";
import { webhookEndpointEntity } from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { callsOf } from "../../support/feature-data.ts";
import { mocked } from "../../support/workspace.ts";

const endpointId = "e";
const at = "2026-01-31T12:00:00.000Z";
const id = `msg_${Date.parse(at)}_x`;
const ref = { workspace: "w", endpointId };
const endpoint = { url: "https://example.com", disabled: false, secrets: [], createdAt: at, updatedAt: at };
const last = { at, durationMs: 1 };
const delivery = {
  event: "document.add",
  status: "failed" as const,
  createdAt: at,
  attempts: 1,
  tries: 1,
  last,
  ttl: 4_000_000_000,
};
const table = [
  ...mocked.rows,
  settingEntity.put({ workspace: "w", setting: "switches" }, { advancedWebhooks: true }).put,
  webhookEndpointEntity.put(ref, { ...endpoint, id: endpointId }).put,
  loggedEntity.put({ ...ref, id }, { ...delivery, id, endpointId }).put,
];
const loads = "BatchGet W#w SETTING#switches, W#w#HOOKS e";
const job = "Put JOB#[\\w-]+ JOB if absent";
const written = (...items: string[]) => expect.stringMatching(`^TransactWrite ${items.join(", ")}$`);

it.each<[string, { handler: Handler }, { name: string }, object, unknown[]]>([
  [
    "endpoints/get",
    endpointsGet,
    endpointsGet.webhookEndpointsGet,
    {},
    ["Query W#w#HOOKS", "Get W#w SETTING#switches"],
  ],
  [
    "endpoints/delete",
    endpointsDelete,
    endpointsDelete.webhookEndpointsDelete,
    { endpointId },
    [
      "BatchGet W#w SETTING#switches, W#w SETTING#webhooks",
      "Query W#w#HOOKS",
      written("Delete W#w#HOOKS e if present", "Update W#w SETTING#webhooks if {no version}", job),
      "SendMessageBatch",
    ],
  ],
  [
    "deliveries/get",
    deliveriesGet,
    deliveriesGet.webhookDeliveriesGet,
    { endpointId },
    [loads, "Query W#w#HOOK#e#Q", "Query W#w#HOOK#e#LOG"],
  ],
  [
    "deliveries/get of one delivery",
    deliveriesGet,
    deliveriesGet.webhookDeliveriesGet,
    { endpointId, deliveryId: id },
    [loads, `BatchGet W#w#HOOK#e#LOG ${id}, W#w#HOOK#e#Q ${Date.parse(at)}#${id}`],
  ],
  [
    "deliveries/retry of one delivery",
    deliveriesRetry,
    deliveriesRetry.webhookDeliveriesRetry,
    { endpointId, webhookId: id },
    [
      loads,
      `BatchGet W#w#HOOK#e#LOG ${id}, W#w#HOOK#e#Q ${Date.parse(at)}#${id}`,
      written(
        `Update W#w#HOOK#e#LOG ${id} if {status & no nextAttemptAt & no body}`,
        `Put W#w#HOOK#e#Q \\d{13}#${id}`,
        job,
      ),
      "SendMessageBatch",
    ],
  ],
  [
    "secret/rotate",
    secretRotate,
    secretRotate.webhookSecretRotate,
    { endpointId },
    [loads, "TransactWrite Update W#w#HOOKS e if {secrets}", "GenerateDataKey"],
  ],
  [
    "test",
    test,
    test.webhookTest,
    { endpointId },
    [loads, written("Put W#w#HOOK#e#Q \\d{13}#msg_[\\w-]+", job), "SendMessageBatch"],
  ],
])("%s makes exactly the expected AWS calls", async (_, { handler }, declared, data, expected) => {
  const { status, calls } = await callsOf(handler, declared, data, table);
  expect(status).toBe(200);
  expect(calls).toEqual(expected);
});
