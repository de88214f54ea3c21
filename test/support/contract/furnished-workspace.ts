// The workspace in which the common tests call endpoints.
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { fileOf } from "../../../lib/ingest/file-type.ts";
import * as RunFiles from "../../../lib/ingest/run-files.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { ttlAfter } from "../../../lib/retention.ts";
import { purposes, seal } from "../../../lib/secrets.ts";
import { newToken } from "../../../lib/store/access/auth-token.ts";
import { adding } from "../../../lib/store/access/auth-token-change.ts";
import { activityChainEntity } from "../../../lib/store/activity/activity.ts";
import { firstHash } from "../../../lib/store/activity/activity-chain.ts";
import * as Agent from "../../../lib/store/ai/agent.ts";
import * as IngestRun from "../../../lib/store/ai/ingest-run.ts";
import * as Knowledge from "../../../lib/store/ai/knowledge.ts";
import * as Migration from "../../../lib/store/content/migration.ts";
import { jobEntity, newJob } from "../../../lib/store/job.ts";
import { suppress } from "../../../lib/store/messages/suppression.ts";
import { newDocumentUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import { newSecret, sealedSecret } from "../../../lib/webhooks/endpoint-secrets.ts";
import { type Credentials, must, newWorkspace } from "../call.ts";
import { fileNumber } from "../exact/containers.ts";
import { storedOf } from "../refusal.ts";
import { dataOf, named } from "./requests.ts";

const organizationId = "acme";

/** Placeholders for sealed values in the template, because a sealed value is valid in one workspace only. */
const sealedLater = { aiKey: "SEALED-AI-KEY", secret: "SEALED-WEBHOOK-SECRET" };

/** The endpoints that unseal the furnished secrets. The others only copy a sealed value. */
const unsealing = new Set(["ask-ai", "memory-ask", "webhook-secret-get"]);

/**
 * Creates a workspace with everything that the requests name, as a copy of a template. Sealing a secret takes a call to
 * KMS, so secrets are sealed only if `endpoint` unseals them, or is absent.
 */
export async function furnishedWorkspace(endpoint?: { name: string }): Promise<Credentials> {
  const as = await newWorkspace();
  const { apiKey, items } = await prepareFurniture();
  const own = items.replaceAll(apiKey, as.apiKey);
  const copies = !endpoint || unsealing.has(endpoint.name) ? await withSecrets(own, as) : own;
  const parsed = JSON.parse(copies, (_, value) =>
    value?.type === "Buffer" ? Buffer.from(value.data) : value,
  ) as Item[];
  await putAll(parsed.map((item) => ({ put: item })));
  if (!endpoint || endpoint.name === "jobs-status") await addShownJob(as);
  if (!endpoint || /suppressions/.test(endpoint.name)) await addComplaint(as);
  if (!endpoint || endpoint.name === "agents-extract") await addExtractionResult(as);
  return as;
}

async function withSecrets(items: string, { apiKey }: Credentials): Promise<string> {
  const [aiKey, secret] = await Promise.all([
    seal("sk-secret", { workspace: apiKey, purpose: purposes.aiKey.openai }),
    sealedSecret({ workspace: apiKey }, newSecret()),
  ]);
  return items.replaceAll(sealedLater.aiKey, aiKey).replaceAll(sealedLater.secret, secret.sealed);
}

/** Its hash needs the key of the deployment, which no copy of a workspace has. */
const addComplaint = ({ apiKey }: Credentials) =>
  suppress({ workspace: apiKey }, "alice@example.com", new Date().toISOString(), "abuse");

const templates = new Map<number, ReturnType<typeof furniture>>();

/** Makes the template once for each test file, in the current table. */
export function prepareFurniture(): ReturnType<typeof furniture> {
  const template = templates.get(fileNumber()) ?? furniture();
  templates.set(fileNumber(), template);
  return template;
}

/** The items of a furnished workspace, without its record and its token. */
async function furniture(): Promise<{ apiKey: string; items: string }> {
  const as = await newWorkspace();
  const own = new Set(Object.keys(await storedOf(as)));
  const add = (name: string, data: object) => must(named(name), { as, data });
  await add("organizations-add", { organizations: [{ organizationId }] });
  await add("folders-add", { organizationId, folders: [{ folderId: "plans" }] });
  await add("documents-add", { organizationId, documents: [{ documentId: "plan" }] });
  await add("users-add", { organizationId, users: [{ userId: "alice" }] });
  const migration = { documentId: "draft", newDocumentId: "paper", documentUid: newDocumentUid() };
  const ref = { workspace: as.apiKey, organizationId, migrationId: "migration-1" };
  await commit([Migration.creation(ref, migration)]);
  await add("usergroups-add", { organizationId, organizationUserGroups: [{ organizationUserGroupId: "reviewers" }] });
  const data = dataOf(named("documents-data-add"));
  await add("documents-data-add", { ...data, silent: true });
  await add("crdt-add", { organizationId, documentId: "plan", editorId: "notes", type: "text", data: "Notes" });
  await add("presence-add", { organizationId, documentId: "plan", users: [{ userId: "alice" }] });
  await add("advancedwebhookconfig-update", { isEnabled: true });
  await Setting.update({ workspace: as.apiKey }, "switches", { live: true });
  const head = { chain: "chain-1", sequence: 1, hash: firstHash("chain-1"), listed: 1, setting: 0 };
  await commit([activityChainEntity.put({ workspace: as.apiKey, organizationId }, head)]);
  await addExtraction(as);
  const agent = { agentId: "agent-1", name: "Checker", instructions: "Check.", createdAt: new Date().toISOString() };
  await Agent.add({ workspace: as.apiKey }, agent);
  await addAuthTokens(as);
  // No server listens there. The tests of these endpoints cover what a model returns.
  const openai = { openaiApiKeySealed: sealedLater.aiKey, openaiBaseUrl: "http://127.0.0.1:9/v1" };
  await Setting.change({ workspace: as.apiKey }, "ai", undefined, () => openai);
  await addWebhookEndpoint(as);
  // Its triggers have no effect, so the log records no events.
  await Setting.change({ workspace: as.apiKey }, "activity", undefined, () => ({ isEnabled: true }));
  const given = Object.entries(await storedOf(as)).filter(([name]) => !own.has(name));
  const items = given.map(([, item]) => binaryAsBuffer(item as object));
  return { apiKey: as.apiKey, items: JSON.stringify(items) };
}

/** Adds a job with the id of the example. It is not in the template: the key of a job does not name its workspace. */
async function addShownJob({ apiKey }: Credentials): Promise<void> {
  const job = { ...newJob("purge", apiKey, {}), id: "job-3", shownAs: "erasure", state: "done" } as const;
  await commit([jobEntity.put({ jobId: job.id }, job)]);
}

/** Adds an auth token with the id of the examples, and one that has expired. */
async function addAuthTokens({ apiKey: workspace }: Credentials): Promise<void> {
  const { record } = newToken({ name: "Former", scopes: ["read"] });
  const hash = `0123456789ab${record.hash.slice(12)}`;
  const expired = newToken({ name: "Expired", expiresAt: 1 }).record;
  await commit([adding({ workspace }, { ...record, hash }), adding({ workspace }, expired)]);
}

/** Adds the result of the completed run. It is a file, and the template has items only. */
const addExtractionResult = ({ apiKey: workspace }: Credentials) =>
  RunFiles.result.write(
    { workspace, runId: "run-1" },
    { agents: [], summary: "Nothing.", skipped: [], memory: { sourceId: "source-1" } },
  );

/** Adds a completed run for the file of the example. */
async function addExtraction({ apiKey }: Credentials): Promise<void> {
  const { fileBase64, mimeType } = dataOf(named("agents-extract")) as Record<string, string>;
  const asked = { fileBase64: fileBase64 ?? "", mimeType: mimeType ?? "" };
  const { bytes, kind } = fileOf(Buffer.from(asked.fileBase64, "base64"), asked.mimeType, "fileBase64");
  const fingerprint = IngestRun.fingerprintOf(bytes, kind, undefined);
  const run = { runId: "run-1", fingerprint, mimeType: asked.mimeType, startedAt: Date.now(), vendorCalls: 1 };
  const sourceId = Knowledge.sourceIdOf(bytes, kind);
  for (const id of [sourceId, "source-1"]) {
    const source = { sourceId: id, sourceUid: `run-of-${id}`, mimeType: asked.mimeType };
    await Knowledge.add({ workspace: apiKey }, source, ["Check the title."]);
  }
  const ended = { ...run, state: "completed" as const, ttl: ttlAfter("ingestRun") };
  await commit([IngestRun.ingestRunEntity.put({ workspace: apiKey, fingerprint }, ended)]);
}

/** The item with its binary values as buffers, which JSON can represent. */
function binaryAsBuffer(item: object): object {
  const fields = Object.entries(item).map(([name, value]) => {
    return [name, value instanceof Uint8Array ? Buffer.from(value) : value];
  });
  return Object.fromEntries(fields);
}

/**
 * Adds an endpoint with the id of the examples and one failed delivery. It gets no further ones: no event has its type.
 */
async function addWebhookEndpoint({ apiKey }: Credentials): Promise<void> {
  const at = new Date().toISOString();
  const endpoint = {
    id: "endpoint-1",
    url: "https://example.com/webhooks",
    filterTypes: ["nothing.happens"],
    disabled: false,
    createdAt: at,
    updatedAt: at,
    secrets: [{ sealed: sealedLater.secret }],
  };
  await commit([WebhookEndpoint.creating({ workspace: apiKey }, endpoint)]);
  const event = { type: "document.add", workspace: apiKey, organizationId, data: { documentId: "plan" } } as const;
  const delivery = deliveryOf(event, at, "origin", endpoint.id);
  await Delivery.add({ workspace: apiKey }, [delivery]);
  await Delivery.fail({ workspace: apiKey }, delivery, { at, durationMs: 1, code: 500, answer: "" });
}
