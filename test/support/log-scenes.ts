// Records the log lines that the bundles write in healthy and in faulty calls and runs.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { foldersGet } from "../../functions/folders/folders-get.ts";
import { agentsExtract } from "../../functions/models-and-agents/agents-extract.ts";
import { presenceAdd } from "../../functions/presence/presence-add.ts";
import { tokenGenerate } from "../../functions/user-tokens/token-generate.ts";
import { domainsGet } from "../../functions/workspace-settings/domains-get.ts";
import { listenTo } from "../../lib/content/listen.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { commit } from "../../lib/jobs/commit.ts";
import * as Job from "../../lib/jobs/store.ts";
import { jobEntity } from "../../lib/store/job.ts";
import * as Delivery from "../../lib/store/webhooks/delivery.ts";
import { deliveryOf } from "../../lib/webhooks/delivery-body.ts";
import { drainJob } from "../../lib/webhooks/endpoint-jobs.ts";
import { handlerOf } from "./bundles.ts";
import { type Credentials, call, contextOf, type RequestOptions, eventOf as requestOf } from "./call.ts";
import { capturedLines } from "./log-lines.ts";
import { recordMails } from "./message-scenes.ts";
import { runWorker, storeJob } from "./run-worker.ts";
import { addEndpoint, eventOf, hooked } from "./webhooks.ts";
import { addDocuments, newOrganization, organizationId } from "./workspace.ts";

type Lines = Record<string, unknown>[];
export type Recorded = Awaited<ReturnType<typeof recordLines>>;

/** Each scene's lines. Needs the plain engine, which throttles nothing. */
export async function recordLines() {
  const as = await hooked();
  const workspace = as.apiKey;
  const unknownProvider = { as, data: { fileBase64: "YQ==", mimeType: "text/csv", provider: "other" } };
  const purge = (options: Parameters<typeof runPurge>[1]) => runPurge(workspace, options);
  return {
    done: await linesOf(() => call(domainsGet, { as })),
    expectedFailure: await linesOf(() => call(agentsExtract, unknownProvider), "INTERNAL"),
    failure: await linesOf(() => withVariable("TABLE_NAME", "missing", () => call(domainsGet, { as }))),
    refused: await linesOf(() => call(domainsGet, { as: { ...as, authToken: "wrong" } })),
    workspaceThrottled: await linesOf(() => untilThrottled(as), "RESOURCE_EXHAUSTED"),
    // The clients of these two bundles begin here, so all their requests go to the service that throttles.
    tableThrottled: await linesOf(() => throttling("DYNAMODB", () => callBundle(foldersGet, { as }))),
    keyThrottled: await linesOf(() => throttling("KMS", () => callBundle(tokenGenerate, { as, data: tokenData }))),
    liveFailed: await linesOf(() => withVariable("LIVE_HTTP_URL", "http://127.0.0.1:1/event", tellPages)),
    jobDone: await linesOf(() => purge({})),
    jobThrew: await linesOf(() => purge({ partitions: [""] })),
    jobFailed: await linesOf(() => purge({ partitions: [""], attempts: Job.attemptsMax - 1 })),
    drained: await linesOf(() => runDrain(workspace, 0, 60_000)),
    // Too little time for an attempt.
    backlog: await linesOf(() => runDrain(workspace, 2_000, 20_000)),
    ...(await recordMails(linesOf)),
  };
}

const tokenData = {
  userId: "u",
  userProperties: { name: "U", email: "u@example.com" },
  permissions: { resources: [{ type: "organization", id: "o" }] },
};

/** The lines that `work` logs; with `status`, only those of calls that end so (`FAILED`: with any failure). */
async function linesOf(work: () => Promise<unknown>, status?: string): Promise<Lines> {
  const before = capturedLines().length;
  await work();
  const lines = capturedLines()
    .slice(before)
    .map((line) => JSON.parse(line));
  return lines.filter((line) => !status || line.status === status || (status === "FAILED" && line.http >= 500));
}

async function withVariable<T>(name: string, value: string, work: () => Promise<T>): Promise<T> {
  const before = process.env[name];
  process.env[name] = value;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

function untilThrottled(as: Credentials): Promise<void> {
  return withVariable("WORKSPACE_CALLS_PER_SECOND", "1", async () => {
    for (let count = 0; count < 20; count++) await call(domainsGet, { as });
  });
}

/** A bundle has AWS clients of its own, which it makes in its first call. */
async function callBundle(
  endpoint: Pick<Endpoint, "name" | "path" | "method">,
  options: RequestOptions,
): Promise<void> {
  const handler = await handlerOf(endpoint.name);
  await handler(requestOf(endpoint, options), contextOf(endpoint.name));
}

async function throttling(service: "DYNAMODB" | "KMS", work: () => Promise<unknown>): Promise<void> {
  const server = createServer((_, response) => {
    response.writeHead(400, { "content-type": "application/x-amz-json-1.1" });
    response.end(JSON.stringify({ __type: "ThrottlingException", message: "Rate exceeded" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await withVariable(`AWS_ENDPOINT_URL_${service}`, `http://127.0.0.1:${port}`, work);
  server.closeAllConnections();
  server.close();
}

/** A change of a document to which a page listens. */
async function tellPages(): Promise<void> {
  const as = await newOrganization();
  await addDocuments(as, undefined, "d");
  await listenTo({ workspace: as.apiKey, organizationId, documentId: "d" });
  await call(presenceAdd, { as, data: { organizationId, documentId: "d", users: [{ userId: "ann" }] } });
}

/** A partition with an empty key makes the run throw. */
async function runPurge(workspace: string, { partitions = [] as string[], attempts = 0 }): Promise<void> {
  const id = await storeJob("purge", workspace, { partitions });
  if (attempts > 0) await commit([jobEntity.update({ jobId: id }, { set: { attempts } })]);
  await runWorker("purge", [id]);
}

/** Runs the deliveries of a new endpoint, one of which is that late if `lateSeconds` is not 0. */
async function runDrain(workspace: string, lateSeconds: number, remainingMs: number): Promise<void> {
  const { id: endpointId } = await addEndpoint(workspace, { url: "http://127.0.0.1:9/" });
  const createdAt = new Date(Date.now() - lateSeconds * 1_000).toISOString();
  const pending = deliveryOf(eventOf(workspace), createdAt, "origin", endpointId);
  if (lateSeconds > 0) await Delivery.add({ workspace }, [pending]);
  const job = drainJob({ workspace, endpointId });
  await commit([], { jobs: [job] });
  await runWorker("drain", [job.id], remainingMs);
}
