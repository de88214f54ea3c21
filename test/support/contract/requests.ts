// A valid request for each endpoint, for the common tests: the documentation's example or a fuller request. They are
// valid in a furnished workspace.
import { endpoints } from "../../../infra/deployables.ts";
import { requestExample } from "../../../infra/openapi/operation.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { call, type RequestOptions } from "../call.ts";

const organizationId = "acme";
const context = { access: { team: ["red", 7] } };
const document = { type: "document", id: "plan", organizationId };

export const providerToken = "provider-secret-c0ffee";

/**
 * For endpoints whose example has few optional fields, or names what a furnished workspace lacks, or is no usual call, of
 * which infra/COSTS.md has the price.
 */
const fuller: Record<string, Record<string, unknown>> = {
  "activities-get": {
    organizationId,
    documentIds: ["plan"],
    eventTypes: ["comment.add", "comment_annotation.status_change"],
    after: "2026-01-31T12:00:00Z",
    order: "newest",
    pageSize: 20,
  },
  "activityconfig-update": {
    activityServiceConfig: { isEnabled: true, immutable: false, triggers: { comment: { added: true } } },
  },
  "aimodelconfig-update": {
    providers: {
      openai: { apiKey: "sk-secret", baseUrl: "https://example.com/v1", model: "gpt-5" },
      anthropic: { apiKey: "", baseUrl: "", model: "" },
      gemini: { apiKey: "g-secret", baseUrl: "", model: "gemini-2.5-pro" },
    },
    defaultProvider: "openai",
  },
  "comments-delete": {
    organizationId,
    documentId: "plan",
    annotationId: "annotation-1",
    commentIds: ["comment-1"],
    actionUser: { userId: "alice" },
  },
  "crdt-get": { organizationId, documentId: "plan", editorId: "notes" },
  "documents-add": { organizationId, folderId: "plans", documents: [{ documentId: "d", documentName: "D" }] },
  "documents-migrate": { organizationId, documentId: "plan", newDocumentId: "roadmap" },
  "documents-update": {
    organizationId,
    documents: [{ documentId: "plan", documentName: "Plan", folderId: "plans" }],
  },
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
  "folders-delete": { organizationId, folderIds: ["plans"], recursive: true },
  "folders-get": { organizationId, parentFolderId: "plans", pageSize: 10 },
  "live-close": { organizationId, documentId: "plan", userId: "alice" },
  "live-open": { organizationId, documentId: "plan", user: { userId: "alice", name: "Alice", metadata: {} } },
  "locations-data-delete": {
    apiKey: "{apiKey}",
    authToken: "{authToken}",
    organizationId,
    documentId: "plan",
    location: { id: "page-1" },
  },
  "messages-get": { channel: "email", state: "failed", pageSize: 20 },
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
  "notifications-delete": { organizationId, userId: "alice", notificationIds: ["n"] },
  "notifications-read": { organizationId, userId: "alice", notificationIds: ["n"] },
  "organizations-delete": { organizationId },
  "organizations-add": { organizations: [{ organizationId, organizationName: "Organization" }] },
  "permissionproviderconfig-update": {
    usePermissionProvider: false,
    permissionProviderConfig: { permissionProviderUrl: "https://example.com/permissions", authToken: providerToken },
  },
  "permissions-add": { user: { userId: "alice" }, permissions: { resources: [{ ...document, context }] } },
  "permissions-get": { organizationId, userIds: ["alice"], folderIds: ["plans"], documentIds: ["plan"] },
  "permissions-remove": { user: { userId: "alice" }, permissions: { resources: [document] } },
  "presence-add": {
    organizationId,
    documentId: "plan",
    users: [{ userId: "alice", name: "Alice", email: "alice@example.com", metadata: { color: "teal" } }],
    lifetimeSeconds: 60,
  },
  "presence-delete": { organizationId, documentId: "plan", userIds: ["alice", "bob"] },
  "slackconfig-update": { isEnabled: true, botToken: "xoxb-a-secret", triggers: { "comment.add": false } },
  "usergroups-get": { organizationId, pageSize: 50 },
  "usergroups-delete": { organizationId, organizationUserGroupIds: ["reviewers"] },
  "token-generate": {
    userId: "alice",
    userProperties: { name: "Ada", email: "ada@example.com", isAdmin: false },
    permissions: { resources: [{ ...document, accessRole: "viewer", expiresAt: 2_000_000_000, context }] },
  },
  "usergroup-users-add": { organizationId, organizationUserGroupId: "reviewers", userIds: ["alice"] },
  "usergroups-add": { organizationId, organizationUserGroups: [{ organizationUserGroupId: "g" }] },
  "users-add": { organizationId, documentId: "plan", users: [{ userId: "new", name: "N", context }] },
  "users-get": { organizationId, userIds: ["alice"], pageSize: 10 },
  "users-update": { organizationId, users: [{ userId: "alice", name: "Ada" }] },
};

/** The endpoints with credentials and a body: all except the key set and the fallback. */
export const posts = endpoints.filter(({ credentials }) => credentials === "workspace");

/**
 * An endpoint that reads, one that writes, and one with an envelope of its own. What the same code does for all endpoints
 * is tested on these.
 */
export const samples = ["documents-get", "documents-add", "memory-ask"].map(named);
export const others = posts.filter((each) => !samples.includes(each));

export const dataOf = (endpoint: Endpoint) =>
  structuredClone(fuller[endpoint.name] ?? requestExample(endpoint)) as Record<string, unknown>;

export function named(name: string): Endpoint {
  const found = endpoints.find((each) => each.name === name);
  if (!found) throw new Error(`There is no endpoint ${name}.`);
  return found;
}

export const callValid = (endpoint: Endpoint, options: RequestOptions) =>
  call(endpoint, { data: dataOf(endpoint), ...options });
