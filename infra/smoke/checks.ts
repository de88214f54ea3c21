// What must work after a deployment: each route and function, the credentials, the table, the key, and workers.
import { randomUUID } from "node:crypto";
import { createLocalJWKSet, jwtVerify } from "jose";
import { inParallel } from "../../lib/concurrency.ts";
import { type Endpoint, methodsOf } from "../../lib/http/endpoint.ts";
import { catchAllPath, endpoints } from "../deployables.ts";
import { type Check, call, smokeId as id, pathOf } from "./call.ts";
import { liveChecks } from "./live-checks.ts";
import { type Reply, request, statusOf, type Target } from "./request.ts";
import { userChecks } from "./user-checks.ts";
import { workerChecks } from "./worker-checks.ts";

/** Few, because a new account can have 10 concurrent executions for everything. */
const callsInFlight = 4;

export const checks: readonly Check[] = [
  { name: "each endpoint's function answers at its route", run: answersEverywhere },
  { name: "a wrong auth token is refused", run: refusesWrongToken },
  { name: "a token with the scope read can read, and is refused a write", run: keepsToScopes },
  { name: "a document is written, read and deleted", run: storesDocument },
  { name: "a user token is signed, and the public keys verify it", run: signsToken },
  ...userChecks,
  ...liveChecks,
  ...workerChecks,
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
function probeOf({ path, method }: Endpoint, { apiKey }: Target) {
  if (path === catchAllPath) {
    return { sent: { path: "/v2/no-such-path" }, isRight: (reply: Reply) => reply.body?.error?.status === "NOT_FOUND" };
  }
  const filled = path.replace(/\{\w+\}/g, encodeURIComponent(apiKey));
  if (method === "GET") {
    return { sent: { path: filled, method }, isRight: ({ status }: Reply) => status < 300 };
  }
  const allowed = methodsOf({ method }).join(", ");
  const isRight = ({ status, headers }: Reply) => status === 405 && headers.get("allow") === allowed;
  return { sent: { path: filled, method: "PUT" }, isRight };
}

async function refusesWrongToken(target: Target): Promise<void> {
  const sent = { path: pathOf("users-get"), data: { organizationId: id }, authToken: "wrong" };
  const reply = await request(target, sent);
  if (reply.body?.error?.status !== "PERMISSION_DENIED") throw new Error(statusOf(reply));
}

async function keepsToScopes(target: Target): Promise<void> {
  const soon = Math.floor(Date.now() / 1_000) + 600;
  await call(target, "organizations-add", { organizations: [{ organizationId: id }] });
  const created = await call(target, "authtokens-create", { name: "smoke test", scopes: ["read"], expiresAt: soon });
  const reader = { ...target, authToken: created.authToken };
  try {
    await call(reader, "users-get", { organizationId: id });
    const sent = { path: pathOf("organizations-add"), data: { organizations: [{ organizationId: id }] } };
    const reply = await request(reader, sent);
    if (reply.body?.error?.status !== "PERMISSION_DENIED") throw new Error(statusOf(reply));
  } finally {
    await call(target, "authtokens-revoke", { tokenId: created.id });
  }
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
