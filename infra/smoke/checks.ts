// What must work after a deployment: each route and function, the credentials, the table, the key, and a worker.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalJWKSet, jwtVerify } from "jose";
import { inParallel } from "../../lib/concurrency.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { catchAllPath, endpoints } from "../deployables.ts";
import { type Reply, request, statusOf, type Target } from "./request.ts";

/** Stays after the test, so it is the same each time. */
const id = "smoke-test";
/** Few, because a new account can have 10 concurrent executions for everything. */
const callsInFlight = 4;
const arrivalMsMax = 60_000;

/** A check of a running service. It throws an error with a message for the operator. */
export interface Check {
  name: string;
  run(target: Target): Promise<void>;
}

export const checks: readonly Check[] = [
  { name: "each endpoint's function answers at its route", run: answersEverywhere },
  { name: "a wrong auth token is refused", run: refusesWrongToken },
  { name: "a document is written, read and deleted", run: storesDocument },
  { name: "a user token is signed, and the public keys verify it", run: signsToken },
  { name: "a notification reaches its recipient through a queue and a worker", run: notifies },
];

async function answersEverywhere(target: Target): Promise<void> {
  const silent: string[] = [];
  await inParallel(endpoints, callsInFlight, async (each) => {
    const { sent, isRight } = probeOf(each, target);
    const answer = await request(target, sent).catch((cause: Error) => cause);
    if (answer instanceof Error) silent.push(`${sent.path}: ${answer.message}`);
    else if (!isRight(answer)) silent.push(`${sent.path}: ${statusOf(answer)}`);
  });
  if (silent.length > 0) throw new Error(silent.sort().join("\n  "));
}

/** A call that changes nothing. With a wrong method, a function says which one is right, before it reads a body. */
function probeOf({ path, method, credentials }: Endpoint, { apiKey }: Target) {
  if (path === catchAllPath) {
    return { sent: { path: "/v2/no-such-path" }, isRight: (reply: Reply) => reply.body?.error?.status === "NOT_FOUND" };
  }
  if (credentials === "none") {
    const filled = path.replace(/\{\w+\}/g, encodeURIComponent(apiKey));
    return { sent: { path: filled, method }, isRight: ({ status }: Reply) => status < 300 };
  }
  const isRight = ({ status, headers }: Reply) => status === 405 && headers.get("allow") === method;
  return { sent: { path, method: "PUT" }, isRight };
}

async function refusesWrongToken(target: Target): Promise<void> {
  const sent = { path: pathOf("users-get"), data: { organizationId: id }, authToken: "wrong" };
  const reply = await request(target, sent);
  if (reply.body?.error?.status !== "PERMISSION_DENIED") throw new Error(statusOf(reply));
}

async function storesDocument(target: Target): Promise<void> {
  const documentId = `${id}-${randomUUID()}`;
  await call(target, "organizations-add", { organizations: [{ organizationId: id }] });
  await call(target, "documents-add", { organizationId: id, documents: [{ documentId }] });
  const read = async () =>
    (await call(target, "documents-get", { organizationId: id, documentIds: [documentId] })).documents.length;
  if ((await read()) !== 1) throw new Error("The document that was added cannot be read.");
  await call(target, "documents-delete", { organizationId: id, documentIds: [documentId] });
  if ((await read()) !== 0) throw new Error("The document that was deleted can still be read.");
}

async function signsToken(target: Target): Promise<void> {
  const { token } = await call(target, "token-generate", {
    userId: id,
    userProperties: { name: "Smoke test", email: "smoke-test@example.com" },
    permissions: { resources: [{ type: "organization", id }] },
  });
  const { body } = await request(target, {
    method: "GET",
    path: `/.well-known/jwks/${encodeURIComponent(target.apiKey)}`,
  });
  await jwtVerify(token, createLocalJWKSet(body), { audience: target.apiKey, subject: id });
}

async function notifies(target: Target): Promise<void> {
  const notificationId = randomUUID();
  await call(target, "organizations-add", { organizations: [{ organizationId: id }] });
  await call(target, "notifications-add", {
    organizationId: id,
    documentId: id,
    createDocument: true,
    notificationId,
    actionUser: { userId: id },
    displayHeadlineMessageTemplate: "Smoke test",
    displayBodyMessage: "Smoke test",
    notifyAll: false,
    notifyUsers: [{ userId: id }],
  });
  for (const until = Date.now() + arrivalMsMax; Date.now() < until; await sleep(500)) {
    const { notifications } = await call(target, "notifications-get", { organizationId: id, userId: id, pageSize: 20 });
    if (notifications.some((each: { notificationId: string }) => each.notificationId === notificationId)) return;
  }
  throw new Error(`It has not arrived within ${arrivalMsMax / 1_000} seconds. Look at the log of the workers.`);
}

/** Makes a call that must succeed. Returns the reply's data. */
async function call(target: Target, name: string, data: object) {
  const reply = await request(target, { path: pathOf(name), data });
  if (reply.status !== 200) throw new Error(`${pathOf(name)}: ${statusOf(reply)}`);
  return reply.body.result.data;
}

function pathOf(name: string): string {
  const found = endpoints.find((each) => each.name === name);
  if (!found) throw new Error(`There is no endpoint ${name}.`);
  return found.path;
}
