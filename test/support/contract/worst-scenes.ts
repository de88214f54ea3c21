// Tables at the size at which a call costs most, for calls whose cost depends on what is stored.
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import { documentEntity } from "../../../lib/store/content/document.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";
import type { Credentials } from "../call.ts";
import { eventOf } from "../webhooks.ts";
import { fillHistory, fillMemory, fillPresence, fillWebhookEndpoints } from "./worst-content.ts";

/** Stores what the call meets. Returns its data. `modelUrl`: where a stand-in for the vendor of a model listens. */
export type Scene = (as: Credentials, modelUrl: string) => Promise<object>;

const organizationId = "acme";
const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const refOf = ({ apiKey: workspace }: Credentials) => ({ workspace, organizationId });

async function addDocuments(as: Credentials, ids: string[], foldersAbove: (id: string) => string[]): Promise<void> {
  const attributes = (documentId: string) => ({
    ...{ organizationId, documentId, documentUid: documentId as DocumentUid, createdAt: "now" },
    ancestors: foldersAbove(documentId),
  });
  await putAll(ids.map((documentId) => documentEntity.put({ ...refOf(as), documentId }, attributes(documentId))));
}

/** Returns their ids. */
async function addUsers(as: Credentials, count: number): Promise<string[]> {
  const profile = { organizationId, createdAt: "now", updatedAt: "now", accessRole: "editor" as const };
  const userIds = numbered(count, "u");
  await putAll(userIds.map((userId) => userEntity.put({ ...refOf(as), userId }, { ...profile, userId })));
  return userIds;
}

const person = (userId: string) => ({ userId });

/** The workspace's key stays. `Setting.change` would clear it. */
const useModel = ({ apiKey: workspace }: Credentials, openaiBaseUrl: string) =>
  commit([Setting.updating({ workspace }, "ai", { openaiBaseUrl })]);

/** What a search of the memory costs most for: long judgments, and many months. The question has its answer there. */
const memoryScenes = (data: object): Record<string, Scene> => ({
  "300 judgments of 190 KB": async (as, modelUrl) => {
    await useModel(as, modelUrl);
    await fillMemory(as, [{ organizationId, count: 300, characters: 65_000 }]);
    return data;
  },
  "months of 200 organizations": async (as, modelUrl) => {
    await useModel(as, modelUrl);
    await fillMemory(
      as,
      numbered(200, "o").map((id) => ({ organizationId: id, count: 1, characters: 100 })),
    );
    return data;
  },
});

export const scenes: Record<string, Record<string, Scene>> = {
  "authtokens-create": { "": async () => ({ name: "a", scopes: ["read", "write", "admin"] }) },
  // The annotation of the furnished workspace has one comment, and 200 are the most.
  "comments-add": {
    "": async () => ({
      ...{ organizationId, documentId: "plan", annotationId: "annotation-1" },
      comments: numbered(199, "new").map((commentId) => ({ commentId, from: person("bob"), text: "Yes." })),
    }),
  },
  "permissions-get": {
    "": async (as) => {
      await addDocuments(as, numbered(1_000, "d"), (id) => [`f${id.at(-1)}`]);
      return { organizationId, userIds: numbered(10, "u"), documentIds: numbered(1_000, "d") };
    },
    "deep folders": async (as) => {
      const documentIds = numbered(66, "d");
      await addDocuments(as, documentIds, (id) => numbered(32, `${id}-f`));
      return { organizationId, userIds: numbered(150, "u"), documentIds };
    },
    "1,000 users": async (as) => {
      await addDocuments(as, numbered(9, "d"), () => ["f0"]);
      return { organizationId, userIds: numbered(999, "u"), documentIds: numbered(9, "d") };
    },
    "1,000 users, deep folders": async (as) => {
      await addDocuments(as, numbered(10, "d"), (id) => numbered(32, `${id}-f`));
      return { organizationId, userIds: numbered(1_000, "u"), documentIds: numbered(10, "d") };
    },
  },
  "users-get": {
    "5,000 deleted users": async (as) => {
      const tombstone = { organizationId, generation: 1, updatedAt: "now" };
      const ids = numbered(5_000, "gone");
      await putAll(ids.map((userId) => userEntity.put({ ...refOf(as), userId }, { ...tombstone, userId })));
      return { organizationId, pageSize: 100 };
    },
  },
  "users-delete": {
    "all existing": async (as) => ({ organizationId, userIds: await addUsers(as, 1_000) }),
  },
  // The address of the example has complained, so no mail goes there.
  "emailconfig-test": {
    "": async ({ apiKey: workspace }) => {
      await commit([Setting.updating({ workspace }, "email", { useEmailService: true })]);
      return { email: "bob@example.com" };
    },
  },
  "memory-ask": memoryScenes({ question: "Which unapproved discounts were rejected?" }),
  "memory-search": memoryScenes({ query: "unapproved discounts", limit: 27 }),
  "notifications-config-set": {
    "": async () => ({
      organizationId,
      documentIds: ["plan"],
      userIds: numbered(1_000, "u"),
      config: { inbox: "MINE" },
    }),
    "all existing, on the lists of who gets everything": async (as) => {
      const [userIds, documentIds] = [await addUsers(as, 1_000), ["plan"]];
      return { organizationId, documentIds, userIds, config: { inbox: "ALL", email: "ALL", slack: "ALL" } };
    },
  },
  "documents-delete": {
    "all existing": async (as) => {
      await addDocuments(as, numbered(1_000, "d"), () => ["plans"]);
      return { organizationId, documentIds: numbered(1_000, "d") };
    },
  },
  "crdt-add": {
    "3.4 MB": async () => ({
      ...{ organizationId, documentId: "plan", editorId: "large", type: "text" },
      data: "x".repeat(3_400_000),
    }),
  },
  "webhook-deliveries-get": {
    "a backlog of 7,000 retried ones": async (as) => {
      const ref = { workspace: as.apiKey, endpointId: "endpoint-1" };
      const at = Date.now() - 1_000_000;
      const body = "x".repeat(1_000);
      const of = (index: number) =>
        deliveryOf(eventOf(as.apiKey), new Date(at + index).toISOString(), `${index}`, ref.endpointId);
      await Delivery.add(
        ref,
        numbered(7_000, "").map((index) => ({ ...of(Number(index)), body, attempts: 1, dueAt: at + 100_000 })),
      );
      return { endpointId: ref.endpointId, pageSize: 100 };
    },
  },
  "users-data-get": {
    "items of 256 KB": async (as) => {
      await fillHistory(as, "u", 20);
      return { organizationId, userId: "u" };
    },
  },
  "presence-get": {
    "100 entries of 4 KB": async (as) => {
      await fillPresence(as, 110);
      return { organizationId, documentId: "plan", pageSize: 100 };
    },
    "1,100 entries of deleted users": async (as) => {
      await fillPresence(as, 1_100, 1);
      return { organizationId, documentId: "plan", pageSize: 100 };
    },
  },
  "webhook-endpoints-create": {
    "49 endpoints of 196 KB": async (as) => {
      await fillWebhookEndpoints(as, 48);
      return { url: "https://example.com" };
    },
  },
  "webhook-endpoints-get": {
    "50 endpoints of 196 KB": async (as) => {
      await fillWebhookEndpoints(as, 49);
      return { pageSize: 50 };
    },
  },
  "webhook-endpoints-update": {
    "50 endpoints of 196 KB": async (as) => {
      await fillWebhookEndpoints(as, 49);
      return { endpointId: "e0", disabled: true };
    },
  },
  "documents-data-add": {
    "": async () => ({
      ...{ organizationId, documentId: "plan", location: { id: "page-1" } },
      reactions: numbered(1_000, "r").map((reactionId) => ({ reactionId, from: person("u") })),
    }),
    "20,000 participants": async () => ({
      organizationId,
      documentId: "plan",
      location: { id: "page-1" },
      comments: Array.from({ length: 222 }, (_, index) => ({
        annotationId: `a${index}`,
        from: person("u"),
        comments: [{ commentId: "c", from: person("u"), taggedUsers: numbered(79, `p${index}-`).map(person) }],
      })),
    }),
  },
};
