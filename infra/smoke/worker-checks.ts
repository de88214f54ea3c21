// Whether workers do their jobs. A worker that fails raises its alarms only after a quarter of an hour.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Check, call, smokeId } from "./call.ts";
import type { Target } from "./request.ts";

export const workerChecks: readonly Check[] = [
  { name: "a notification reaches its recipient through a queue and a worker", run: notifies },
  { name: "a document migrates to another id", run: migrates },
  { name: "an event becomes a delivery to a webhook endpoint, and is sent", run: delivers },
];

const arrivalMsMax = 60_000;
/** A test that was killed leaves its webhook endpoint. The endpoint of a running test is younger than this. */
const abandonedMs = 3_600_000;
const organizationId = smokeId;

async function notifies(target: Target): Promise<void> {
  const notificationId = randomUUID();
  await call(target, "organizations-add", { organizations: [{ organizationId }] });
  await call(target, "notifications-add", {
    organizationId,
    documentId: smokeId,
    createDocument: true,
    notificationId,
    actionUser: { userId: smokeId },
    displayHeadlineMessageTemplate: "Smoke test",
    displayBodyMessage: "Smoke test",
    notifyAll: false,
    notifyUsers: [{ userId: smokeId }],
  });
  const list = { organizationId, userId: smokeId, pageSize: 20 };
  await eventually("The notification has not arrived", async () => {
    const { notifications } = await call(target, "notifications-get", list);
    return notifications.some((each: { notificationId: string }) => each.notificationId === notificationId);
  });
}

async function migrates(target: Target): Promise<void> {
  const documentId = await addedDocument(target);
  const newDocumentId = `${documentId}-new`;
  const { migrationId } = await call(target, "documents-migrate", { organizationId, documentId, newDocumentId });
  await eventually("The migration is not completed", async () => {
    const { status } = await call(target, "documents-migrate-status", { organizationId, migrationId });
    return status === "completed";
  });
  await call(target, "documents-delete", { organizationId, documentIds: [newDocumentId] });
}

/** No name under `.invalid` exists, so the attempt fails. The log says that it was made. */
async function delivers(target: Target): Promise<void> {
  await call(target, "advancedwebhookconfig-update", { isEnabled: true });
  await removeAbandonedEndpoints(target);
  const given = { url: "https://smoke-test.invalid/", description: smokeId, filterTypes: ["document.add"] };
  const { id: endpointId } = await call(target, "webhook-endpoints-create", given);
  try {
    const documentId = await addedDocument(target);
    await eventually("No attempt of the delivery was made", async () => {
      const { deliveries } = await call(target, "webhook-deliveries-get", { endpointId });
      return deliveries.some((each: { attempts: number }) => each.attempts > 0);
    });
    await call(target, "documents-delete", { organizationId, documentIds: [documentId] });
  } finally {
    await call(target, "webhook-endpoints-delete", { endpointId });
  }
}

async function removeAbandonedEndpoints(target: Target): Promise<void> {
  const { endpoints } = await call(target, "webhook-endpoints-get", {});
  for (const { id, description, createdAt } of endpoints) {
    const isAbandoned = description === smokeId && Date.parse(createdAt) < Date.now() - abandonedMs;
    if (isAbandoned) await call(target, "webhook-endpoints-delete", { endpointId: id });
  }
}

/** The id of a new document. */
async function addedDocument(target: Target): Promise<string> {
  const documentId = `${smokeId}-${randomUUID()}`;
  await call(target, "organizations-add", { organizations: [{ organizationId }] });
  await call(target, "documents-add", { organizationId, documents: [{ documentId }] });
  return documentId;
}

async function eventually(problem: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + arrivalMsMax; Date.now() < until; await sleep(500)) if (await isSo()) return;
  throw new Error(`${problem} within ${arrivalMsMax / 1_000} seconds. Look at the log of the workers.`);
}
