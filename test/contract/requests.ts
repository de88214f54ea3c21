// One valid request for each endpoint, so that the common tests need to know nothing else of it: the documentation's
// example, in a workspace that holds what the examples name.
import { endpoints } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { uploadOf } from "../../lib/ingest/upload.ts";
import { requestExample } from "../../lib/openapi.ts";
import * as Agent from "../../lib/store/agent.ts";
import { putAll } from "../../lib/store/commit.ts";
import * as Delivery from "../../lib/store/delivery.ts";
import * as IngestRun from "../../lib/store/ingest-run.ts";
import { keys } from "../../lib/store/keys.ts";
import * as Knowledge from "../../lib/store/knowledge.ts";
import * as Migration from "../../lib/store/migration.ts";
import * as Setting from "../../lib/store/setting.ts";
import * as Table from "../../lib/store/table.ts";
import * as WebhookEndpoint from "../../lib/store/webhook-endpoint.ts";
import { deliveryOf } from "../../lib/webhooks/message.ts";
import { newSecret, sealedSecret } from "../../lib/webhooks/secrets.ts";
import { type Credentials, call, must, newWorkspace, type RequestOptions } from "../support/call.ts";
import { storedOf } from "./refusal.ts";

const organizationId = "acme";
const context = { access: { team: ["red", 7] } };
const document = { type: "document", id: "plan", organizationId };

export const providerToken = "provider-secret-c0ffee";

/** Where the example would leave much untested: fuller requests, with each optional field that can be there. */
const fuller: Record<string, Record<string, unknown>> = {
  "aimodelconfig-update": {
    providers: {
      openai: { apiKey: "sk-secret", baseUrl: "https://example.com/v1", model: "gpt-5" },
      anthropic: { apiKey: "", baseUrl: "", model: "" },
      gemini: { apiKey: "g-secret", baseUrl: "", model: "gemini-2.5-pro" },
    },
    defaultProvider: "openai",
  },
  "authtokens-get": {},
  "domains-add": { domains: ["https://www.example.com:8080/start", "*.example.org", "münchen.de", "10.0.0.1"] },
  "domains-delete": { domains: ["example.com"] },
  "domains-get": { pageSize: 10 },
  "documents-add": { organizationId, folderId: "plans", documents: [{ documentId: "d", documentName: "D" }] },
  "documents-delete": { organizationId, documentIds: ["gone"] },
  "documents-get": { organizationId, documentIds: ["plan"], pageSize: 10 },
  "emailconfig-update": {
    useEmailService: true,
    emailServiceConfig: {
      type: "external",
      apiKey: providerToken,
      fromEmail: "updates@example.com",
      fromCompany: "Example",
      triggers: { "comment.add": false },
    },
  },
  "folders-add": {
    organizationId,
    createOrganization: false,
    folders: [{ folderId: "f", folderName: "F", parentFolderId: "plans", accessType: "public" }],
  },
  "folders-get": { organizationId, parentFolderId: "plans", pageSize: 10 },
  "notifications-add": {
    organizationId,
    createOrganization: false,
    documentId: "plan",
    createDocument: true,
    actionUser: { userId: "alice", name: "Alice", email: "alice@example.com" },
    verifyUserPermissions: false,
    notificationId: "n",
    isNotificationResolverUsed: true,
    displayHeadlineMessageTemplate: "{actionUser}",
    displayHeadlineMessageTemplateData: { actionUser: { userId: "alice" }, recipientUser: "you" },
    displayBodyMessage: "Body",
    notifyUsers: [{ userId: "alice", name: "Alice" }],
    notifyAll: true,
    notificationSource: "comment",
    notificationSourceData: { commentId: "c" },
    context: { access: { team: "red" } },
  },
  "notifications-config-set": {
    organizationId,
    documentIds: ["plan"],
    userIds: ["alice"],
    config: { inbox: "MINE", email: "NONE", slack: "ALL" },
  },
  "notifications-read": { organizationId, userId: "alice", notificationIds: ["n"] },
  "organizations-add": { organizations: [{ organizationId, organizationName: "Organization" }] },
  "permissionproviderconfig-update": {
    usePermissionProvider: false,
    permissionProviderConfig: { permissionProviderUrl: "https://example.com/permissions", authToken: providerToken },
  },
  "permissions-add": { user: { userId: "alice" }, permissions: { resources: [{ ...document, context }] } },
  "permissions-get": { organizationId, userIds: ["alice"], folderIds: ["plans"], documentIds: ["plan"] },
  "permissions-remove": { user: { userId: "alice" }, permissions: { resources: [document] } },
  "token-generate": {
    userId: "alice",
    userProperties: { name: "Ada", email: "ada@example.com", isAdmin: false },
    permissions: { resources: [{ ...document, accessRole: "viewer", expiresAt: 2_000_000_000, context }] },
  },
  "usergroup-users-add": { organizationId, organizationUserGroupId: "reviewers", userIds: ["alice"] },
  "usergroup-users-delete": { organizationId, organizationUserGroupId: "reviewers", userIds: ["nobody"] },
  "usergroups-add": { organizationId, organizationUserGroups: [{ organizationUserGroupId: "g" }] },
  "users-add": { organizationId, documentId: "plan", users: [{ userId: "new", name: "N", context }] },
  "users-delete": { organizationId, userIds: ["nobody"] },
  "users-get": { organizationId, userIds: ["alice"], pageSize: 10 },
  "users-data-get": { organizationId, userId: "alice" },
  "users-update": { organizationId, users: [{ userId: "alice", name: "Ada" }] },
};

/** The endpoints that take credentials and a body: all but the key set and the fallback. */
export const posts = endpoints.filter(({ credentials }) => credentials === "workspace");

export const dataOf = (endpoint: Endpoint) =>
  structuredClone(fuller[endpoint.name] ?? requestExample(endpoint)) as Record<string, unknown>;

export function named(name: string): Endpoint {
  const found = endpoints.find((each) => each.name === name);
  if (!found) throw new Error(`There is no endpoint ${name}.`);
  return found;
}

/** A workspace that holds what the requests name: its own, and a copy of what the first one was given. */
export async function furnishedWorkspace(): Promise<Credentials> {
  const as = await newWorkspace();
  template ??= furniture();
  const { apiKey, items } = await template;
  const copies = JSON.stringify(items).replaceAll(apiKey, as.apiKey);
  await putAll(JSON.parse(copies, (_, value) => (value?.type === "Buffer" ? Buffer.from(value.data) : value)));
  // What is sealed is sealed for one workspace.
  // A vendor that nothing answers for: what a model says is its endpoints' own tests' to see.
  const unreachable = { apiKey: "sk-secret", baseUrl: "http://127.0.0.1:9/v1" };
  await must(named("aimodelconfig-update"), { as, data: { providers: { openai: unreachable } } });
  await addWebhookEndpoint(as);
  return as;
}

let template: ReturnType<typeof furniture> | undefined;

/** What a workspace of its own is given, beside its record and its token. */
async function furniture(): Promise<{ apiKey: string; items: object[] }> {
  const as = await newWorkspace();
  const own = new Set(Object.keys(await storedOf(as)));
  const add = (name: string, data: object) => must(named(name), { as, data });
  await add("organizations-add", { organizations: [{ organizationId }] });
  await add("folders-add", { organizationId, folders: [{ folderId: "plans" }] });
  await add("documents-add", { organizationId, documents: [{ documentId: "plan" }] });
  await add("users-add", { organizationId, users: [{ userId: "alice" }] });
  const migration = { migrationId: "migration-1", documentId: "draft", newDocumentId: "paper", uid: "x" };
  await Table.commit([Migration.creation(as.apiKey, organizationId, migration)]);
  await add("usergroups-add", { organizationId, organizationUserGroups: [{ organizationUserGroupId: "reviewers" }] });
  const data = dataOf(named("documents-data-add"));
  await add("documents-data-add", { ...data, silent: true });
  await add("crdt-add", { organizationId, documentId: "plan", editorId: "notes", type: "text", data: "Notes" });
  await add("presence-add", { organizationId, documentId: "plan", users: [{ userId: "alice" }] });
  await add("advancedwebhookconfig-update", { isEnabled: true });
  await addExtraction(as);
  const agent = { agentId: "agent-1", name: "Checker", instructions: "Check.", createdAt: new Date().toISOString() };
  await Agent.add(as.apiKey, agent);
  const given = Object.entries(await storedOf(as)).filter(([name]) => !own.has(name));
  return { apiKey: as.apiKey, items: given.map(([, item]) => binaryAsBuffer(item as object)) };
}

/** A run that has ended, of the file of the example. */
async function addExtraction({ apiKey }: Credentials): Promise<void> {
  const { fileBase64, mimeType } = dataOf(named("agents-extract")) as Record<string, string>;
  const asked = { fileBase64: fileBase64 ?? "", mimeType: mimeType ?? "" };
  const { bytes, kind } = uploadOf(asked);
  const fingerprint = IngestRun.fingerprintOf(bytes, kind, undefined);
  const run = { runId: "run-1", fingerprint, mimeType: asked.mimeType, startedAt: Date.now(), vendorCalls: 1 };
  const sourceId = Knowledge.sourceIdOf(bytes, kind);
  for (const id of [sourceId, "source-1"]) {
    await Knowledge.add(apiKey, { sourceId: id, uid: `run-of-${id}`, mimeType: asked.mimeType }, ["Check the title."]);
  }
  const result = { agents: [], summary: "Nothing.", skipped: [], memory: { sourceId } };
  const ended = { ...run, state: "completed", result: JSON.stringify(result) };
  await Table.commit([{ put: { ...keys.ingestRun(apiKey, fingerprint), ...ended } }]);
}

/** So that JSON can carry it. */
function binaryAsBuffer(item: object): object {
  const fields = Object.entries(item).map(([name, value]) => {
    return [name, value instanceof Uint8Array ? Buffer.from(value) : value];
  });
  return Object.fromEntries(fields);
}

/** Under the examples' id, which no client could choose; wants what never happens, and has failed once. */
async function addWebhookEndpoint({ apiKey }: Credentials): Promise<void> {
  const at = new Date().toISOString();
  const endpoint = {
    id: "endpoint-1",
    url: "https://example.com/webhooks",
    filterTypes: ["nothing.happens"],
    disabled: false,
    createdAt: at,
    updatedAt: at,
    secrets: [await sealedSecret(apiKey, newSecret())],
  };
  await Table.commit([WebhookEndpoint.creating(apiKey, endpoint)]);
  const event = { type: "document.add", workspace: apiKey, organizationId, data: { documentId: "plan" } } as const;
  const delivery = deliveryOf(event, at, "origin", endpoint.id);
  await Delivery.add(apiKey, [delivery]);
  await Delivery.fail(apiKey, delivery, { at, durationMs: 1, code: 500, answer: "" });
}

/** For each status that an endpoint declares, a request that is answered with it. */
export const failures: Record<string, Record<string, (as: Credentials) => Promise<RequestOptions> | RequestOptions>> = {
  ...Object.fromEntries(
    posts
      .filter(({ errors }) => errors.includes("NOT_FOUND"))
      .map((each) => [each.name, { NOT_FOUND: (as: Credentials) => ({ as, data: elsewhere(each) }) }]),
  ),
  "not-found": { NOT_FOUND: () => ({}) },
};
for (const [name, needed] of [
  ["folders-add", "advancedQueries"],
  ["notifications-config-get", "notifications"],
  ["notifications-config-set", "notifications"],
] as const) {
  failures[name] = {
    ...failures[name],
    FAILED_PRECONDITION: async (as) => {
      await Setting.update(as.apiKey, "switches", { [needed]: false });
      return { as, data: dataOf(named(name)) };
    },
  };
}

failures["locations-update"] = {
  ...failures["locations-update"],
  ALREADY_EXISTS: async (as) => {
    const endpoint = named("locations-update");
    const other = { id: "page-2" };
    await must(endpoint, { as, data: { ...dataOf(endpoint), migrate: { oldLocation: other, newLocation: other } } });
    return { as, data: dataOf(endpoint) };
  },
};
failures["documents-migrate"] = {
  ...failures["documents-migrate"],
  ALREADY_EXISTS: async (as) => {
    await must(named("documents-add"), { as, data: { organizationId, documents: [{ documentId: "roadmap" }] } });
    return { as, data: dataOf(named("documents-migrate")) };
  },
};
failures["crdt-add"] = {
  ...failures["crdt-add"],
  ALREADY_EXISTS: (as) => ({ as, data: { ...dataOf(named("crdt-add")), editorId: "notes" } }),
};

for (const { name, errors } of posts.filter(({ needs }) => needs.includes("advancedWebhooks"))) {
  const data = dataOf(named(name));
  failures[name] = {
    FAILED_PRECONDITION: async (as) => {
      await Setting.update(as.apiKey, "switches", { advancedWebhooks: false });
      return { as, data };
    },
    ...(errors.includes("NOT_FOUND") && { NOT_FOUND: (as) => ({ as, data: { ...data, endpointId: "missing" } }) }),
  };
}

failures["agents-config-resolve"] = { NOT_FOUND: (as) => ({ as, data: { agentId: "missing" } }) };

failures["memory-ask"] = {
  FAILED_PRECONDITION: async (as) => {
    await must(named("aimodelconfig-update"), { as, data: { providers: { openai: { apiKey: "" } } } });
    await must(named("judgments-add"), { as, data: dataOf(named("judgments-add")) });
    return { as, data: { question: "Which discount has legal approved?" } };
  },
};

/** The valid request, asked of an organization that does not exist. */
function elsewhere(endpoint: Endpoint): unknown {
  const text = JSON.stringify(dataOf(endpoint));
  return JSON.parse(text.replaceAll('"organizationId":"acme"', '"organizationId":"missing"'));
}

export const callValid = (endpoint: Endpoint, options: RequestOptions) =>
  call(endpoint, { data: dataOf(endpoint), ...options });
