// Requests that together use every grant of an endpoint, and a workspace in which they do.
import { vi } from "vitest";
import { notify } from "../../../functions/workers/notify.ts";
import { endpoints } from "../../../infra/deployables.ts";
import { listenTo } from "../../../lib/content/listen.ts";
import { switchIds } from "../../../lib/content/migrate.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { unsubscribeLinks } from "../../../lib/messages/unsubscribe.ts";
import { type EventType, eventTypes } from "../../../lib/schema/events.ts";
import * as User from "../../../lib/store/access/user.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as Setting from "../../../lib/store/setting.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import { type Credentials, must } from "../call.ts";
import { base64, typed } from "../crdt.ts";
import { jobsOf } from "../jobs.ts";
import { deliver } from "../run-worker.ts";
import { itemsOf } from "../scan.ts";
import { furnishedWorkspace } from "./furnished-workspace.ts";
import { dataOf, named } from "./requests.ts";

const organizationId = "acme";

/** A migration gives a document this id. Until it is over, each grant on it deletes the one that waits for the migration. */
const migrated = { type: "document", id: "migrated", organizationId };

/** A delivery that waits for its next attempt. */
const waitingDelivery = (workspace: string) =>
  deliveryOf(
    { type: "document.add", workspace, organizationId, data: {} },
    "2026-01-02T00:00:00.000Z",
    "waiting",
    "endpoint-1",
  );

/** Further requests, for calls to AWS that the usual request does not make. */
const more: Record<string, Record<string, unknown>[]> = {
  "advancedwebhookconfig-update": [{ isEnabled: false }, { isEnabled: true }],
  "aimodelconfig-update": [{ providers: { anthropic: { apiKey: "sk-1" }, gemini: { apiKey: "sk-2" } } }],
  "documents-data-add": [
    {
      organizationId: "acme",
      documentId: "plan",
      location: { id: "page-1" },
      reactions: ["reaction-1", "reaction-9"].map((reactionId) => ({ reactionId, from: { userId: "another" } })),
    },
  ],
  // Large enough for a merge.
  "crdt-update": [
    {
      organizationId: "acme",
      documentId: "plan",
      editorId: "notes",
      update: base64(typed(["x".repeat(140_000)])[0] as Uint8Array),
    },
  ],
  "judgments-add": [
    {
      judgments: [
        {
          recordId: "review-7",
          decision: "approved",
          reasoning: "It is.",
          actionUser: { userId: "alice" },
          createdAt: 1e12,
        },
      ],
    },
  ],
  "organizations-add": [{ organizations: [{ organizationId: "another" }] }],
  "documents-delete": [{ organizationId: "acme", documentIds: ["plan"] }],
  "documents-get": [{ organizationId: "acme" }],
  "emailconfig-update": [{ useEmailService: false }],
  "messages-suppressions-get": [{ email: "alice@example.com" }],
  "slackconfig-update": [{ isEnabled: false }],
  "notifications-read": [{ organizationId: "acme", userId: "alice" }],
  "folders-get": [{ organizationId: "acme" }],
  "permissions-add": [{ user: { userId: "alice" }, permissions: { resources: [migrated] } }],
  "presence-add": [{ organizationId: "acme", documentId: "plan", users: [{ userId: "new" }] }],
  "token-generate": [
    {
      userId: "alice",
      userProperties: { name: "Alice", email: "alice@example.com" },
      permissions: { resources: [migrated] },
    },
  ],
  "users-add": [{ organizationId, documentId: migrated.id, users: [{ userId: "newcomer" }] }],
  "users-delete": [
    { organizationId: "acme", userIds: ["alice"] },
    { organizationId: "acme", documentId: "plan", userIds: ["alice"] },
  ],
  "users-get": [{ organizationId: "acme" }],
  "users-update": [{ organizationId, documentId: migrated.id, users: [{ userId: "alice", accessRole: "viewer" }] }],
  "webhook-deliveries-retry": [{ endpointId: "endpoint-1", webhookId: waitingDelivery("").id }],
  "webhook-endpoints-update": [
    { endpointId: "endpoint-1", disabled: true },
    { endpointId: "endpoint-1", disabled: false },
  ],
};

/** These call AWS in another way for a workspace whose webhooks want none of their events. */
export const differsWithoutEvents = ["presence-delete", "live-close"];

/** The `data` of the usual request and of the further ones. */
export const requestsFor = (endpoint: Endpoint) => [dataOf(endpoint), ...(more[endpoint.name] ?? [])];

/** A furnished workspace whose webhooks want these events, and that has what the requests need. */
export async function workspaceFor(
  endpoint: Endpoint,
  wantedEvents: readonly EventType[] = eventTypes,
): Promise<Credentials> {
  const as = await furnishedWorkspace(endpoint);
  await must(named("usergroup-users-add"), { as, data: dataOf(named("usergroup-users-add")) });
  await must(named("permissions-add"), { as, data: dataOf(named("permissions-add")) });
  await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: [...wantedEvents] });
  if (endpoint.name === "permissions-get") {
    const config = { permissionProviderUrl: "http://127.0.0.1:9/", authToken: "secret" };
    const data = { usePermissionProvider: true, permissionProviderConfig: config };
    await must(named("permissionproviderconfig-update"), { as, data });
  }
  if (JSON.stringify(more[endpoint.name])?.includes(migrated.id)) await migrateOne(as);
  if (endpoint.name === "judgments-delete") {
    await must(named("judgments-add"), { as, data: dataOf(named("judgments-add")) });
  }
  if (/^activities-(?:update|delete)$/.test(endpoint.name)) {
    await must(named("activities-add"), { as, data: dataOf(named("activities-add")) });
  }
  if (/^notifications-(?:config-set|unsubscribe)$/.test(endpoint.name)) {
    const alice = { organizationId, documentIds: ["plan"], userIds: ["alice"], config: { email: "ALL" } };
    await must(named("notifications-config-set"), { as, data: alice });
  }
  const update = endpoint.name.replace(/-get$/, "-update");
  if (endpoint.name.endsWith("config-get") && endpoints.some(({ name }) => name === update)) {
    await must(named(update), { as, data: dataOf(named(update)) });
  }
  if (endpoint.name === "webhook-deliveries-retry") {
    const ref = { workspace: as.apiKey };
    const waiting = waitingDelivery(as.apiKey);
    await Delivery.add(ref, [waiting]);
    const attempt = { at: new Date().toISOString(), durationMs: 1 };
    await Delivery.fail(ref, waiting, attempt, Date.now() + 3_600_000);
  }
  if (endpoint.name === "live-open") {
    await must(named("presence-delete"), { as, data: { organizationId, documentId: "plan", userIds: ["alice"] } });
  }
  // Pages listen to what the requests change.
  if (endpoint.grants.includes("live:publish") && wantedEvents.length > 0) {
    const ref = { workspace: as.apiKey, organizationId };
    await listenTo({ ...ref, documentId: "plan" });
    for (const userId of ["alice", "bob"]) {
      const user = User.userEntity.update({ ...ref, userId }, { set: { listenedUntil: Date.now() / 1_000 + 300 } });
      await commit([user]);
    }
  }
  if (/^comment(?:s|annotations)-/.test(endpoint.name)) await leaveFormerParticipants(as);
  if (["notifications-delete", "notifications-read"].includes(endpoint.name)) {
    await must(named("notifications-add"), { as, data: { ...dataOf(named("notifications-add")), context: null } });
    for (const job of await jobsOf(as, "notify")) await deliver(notify, [job.id]);
  }
  return as;
}

/** The parameters of the path of the endpoint, in a workspace of `workspaceFor`. */
export async function pathParametersFor(
  { name }: Endpoint,
  { apiKey: workspace }: Credentials,
): Promise<Record<string, string>> {
  if (name !== "notifications-unsubscribe") return { apiKey: workspace };
  vi.stubEnv("PUBLIC_URL", "https://api.example.com");
  const found = (await Document.get({ workspace, organizationId, documentId: "plan" })) as Document.Document;
  const about = { organizationId, documentUid: found.documentUid, userId: "alice", generation: 0 };
  const links = await unsubscribeLinks({ workspace }, about);
  vi.unstubAllEnvs();
  return { token: links?.document.split("/").at(-1) ?? "" };
}

/** Entries of former participants are still to be deleted. The next change of the annotation does it. */
async function leaveFormerParticipants({ apiKey }: Credentials): Promise<void> {
  const annotations = (await itemsOf(apiKey)).filter(({ id, entity }) => entity === "feature" && id === "annotation-1");
  const updates = annotations.map(({ pk, sk }) => ({ update: { pk, sk }, set: { hasFormer: true } }));
  await commit(updates);
}

/** The migration is not over. Alice has a grant that waits for it. */
async function migrateOne(as: Credentials): Promise<void> {
  const newDocumentId = migrated.id;
  await must(named("users-add"), {
    as,
    data: { organizationId, documentId: newDocumentId, users: [{ userId: "alice" }] },
  });
  await must(named("documents-add"), { as, data: { organizationId, documents: [{ documentId: "old" }] } });
  await must(named("documents-migrate"), { as, data: { organizationId, documentId: "old", newDocumentId } });
  const [job] = await jobsOf(as, "migrate");
  await switchIds({ workspace: as.apiKey, organizationId, migrationId: String(job?.payload.migrationId) });
}
