// Breaks each rule over several fields of a request together with the type of another field. One failure lists both.
import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { type Credentials, call } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, posts } from "../support/contract/requests.ts";
import { expectRefused, pathsOf } from "../support/refusal.ts";

const many = (count: number, prefix = "id") => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const large = "x".repeat(60_000);
const from = { userId: "alice" };
const people = (count: number, prefix: string) => many(count, prefix).map((userId) => ({ userId }));
const comment = (index: number) => ({ commentId: `c-${index}`, from, taggedUsers: people(60, `u-${index}`) });

/**
 * By endpoint: the fields that replace those of a valid request, and the paths of all issues. An empty path is the
 * request itself.
 */
const broken: Record<string, [fields: object, paths: string[]][]> = {
  "permissions-add": [resourceWithoutOrganization()],
  "permissions-remove": [resourceWithoutOrganization()],
  "permissions-get": [
    [{ organizationId: 7, userIds: many(101), documentIds: many(100) }, ["organizationId", "userIds"]],
  ],
  "token-generate": [
    [
      {
        userId: 7,
        userProperties: { name: 7, email: "a@b.c", organizationId: "acme" },
        permissions: { resources: [{ type: "folder", id: "plans", accessRole: "owner" }] },
      },
      [
        "permissions.resources.0.accessRole",
        "permissions.resources.0.organizationId",
        "userId",
        "userProperties.name",
        "userProperties.organizationId",
      ],
    ],
  ],
  "usergroups-get": [
    [
      { organizationId: 7, organizationUserGroupId: "g", organizationUserGroupIds: ["g"] },
      ["organizationId", "organizationUserGroupIds"],
    ],
    [{ organizationId: 7, withMembers: true }, ["organizationId", "organizationUserGroupId"]],
  ],
  "users-add": [bothPlaces()],
  "users-delete": [bothPlaces()],
  "users-get": [
    bothPlaces(),
    [
      { organizationId: 7, documentId: "plan", organizationUserGroupIds: ["g"] },
      ["organizationId", "organizationUserGroupIds"],
    ],
  ],
  "users-update": [
    bothPlaces(),
    [
      { users: [{ userId: 7, isAdmin: 7, properties: 1 }] },
      ["users.0.isAdmin", "users.0.properties", "users.0.userId"],
    ],
    [{ users: [{ userId: 7, large }] }, ["users.0", "users.0.userId"]],
  ],
  "memory-ask": [
    [
      { question: "", organizationId: "acme", orgId: "other", documentId: "plan", docId: "other", recencyDays: 0 },
      ["docId", "orgId", "question", "recencyDays"],
    ],
    [
      {
        organizationId: undefined,
        documentId: 7,
        filters: { annotationId: "a", decision: "maybe", dateRange: { start: 2, end: 1 } },
      },
      ["documentId", "filters.annotationId", "filters.dateRange", "filters.decision"],
    ],
  ],
  "memory-search": [
    [
      { query: 7, filters: { dateRange: { start: 2, end: 1 }, decision: 7 } },
      ["filters.dateRange", "filters.decision", "query"],
    ],
  ],
  "agents-create": [
    [
      { name: 7, input: { userContextFields: many(5).map((id) => ({ id, title: large, type: "text" })) } },
      ["", "name"],
    ],
  ],
  "agents-update": [
    [
      { agentId: 7, name: undefined, description: undefined, instructions: undefined, input: undefined },
      ["", "agentId"],
    ],
  ],
  "agents-extract": [[{ fileBase64: "YSxi", mimeType: "application/pdf", fileName: 5 }, ["fileBase64", "fileName"]]],
  "crdt-add": [[{ editorId: 7, type: "map", data: [] }, ["data", "editorId"]]],
  "crdt-update": [[{ editorId: 7, update: "AA==" }, ["editorId", "update"]]],
  "notifications-add": [
    [
      {
        organizationId: 7,
        isNotificationResolverUsed: false,
        displayHeadlineMessageTemplate: "",
        displayBodyMessage: undefined,
      },
      ["displayBodyMessage", "displayHeadlineMessageTemplate", "organizationId"],
    ],
  ],
  "notifications-config-get": [
    [{ userId: 7, documentIds: [], getOrganizationConfig: false }, ["documentIds", "userId"]],
  ],
  "notifications-config-set": [
    [
      { organizationId: 7, userIds: many(101), documentIds: many(10), config: {} },
      ["config", "organizationId", "userIds"],
    ],
    [{ config: { inbox: "SOME" }, userIds: many(101), documentIds: many(10) }, ["config.inbox", "userIds"]],
  ],
  "presence-add": [
    [{ users: [{ userId: "", name: "x".repeat(5_000) }], documentId: 7 }, ["documentId", "users.0", "users.0.userId"]],
  ],
  "live-open": [
    [{ user: { userId: "", name: "x".repeat(5_000) }, documentId: 7 }, ["documentId", "user", "user.userId"]],
  ],
  "activities-add": [
    [
      {
        organizationId: 7,
        activities: [
          {
            activityId: "a",
            actionUser: from,
            eventType: "plan.exported",
            metadata: Object.fromEntries(many(3).map((name) => [name, large])),
          },
        ],
      },
      ["activities.0", "organizationId"],
    ],
  ],
  "activities-get": [[{ organizationId: 7, after: 2, before: 1 }, ["before", "organizationId"]]],
  "activities-update": [[{ organizationId: 7, activities: [{ activityId: "a" }] }, ["activities.0", "organizationId"]]],
  "commentannotations-update": [[{ organizationId: 7, update: {} }, ["organizationId", "update"]]],
  "comments-update": [[{ organizationId: 7, text: undefined }, ["", "organizationId"]]],
  "documents-data-add": [
    [{ organizationId: 7, comments: [], reactions: [], recordings: undefined }, ["", "organizationId"]],
    [{ organizationId: 7, comments: annotations(600), reactions: reactions(401) }, ["", "organizationId"]],
    [{ organizationId: 7, comments: annotations(330, [comment(0)]) }, ["", "organizationId"]],
    [
      {
        comments: [{ annotationId: 7, from, metadata: Object.fromEntries(many(5).map((name) => [name, large])) }],
        reactions: [{ reactionId: 7, from, metadata: Object.fromEntries(many(5).map((name) => [name, large])) }],
        recordings: [{ recordingId: 7, from, metadata: Object.fromEntries(many(5).map((name) => [name, large])) }],
      },
      [
        "comments.0",
        "comments.0.annotationId",
        "reactions.0",
        "reactions.0.reactionId",
        "recordings.0",
        "recordings.0.recordingId",
      ],
    ],
    [
      { comments: [{ annotationId: 7, from, comments: [0, 1].map(comment) }] },
      ["comments.0", "comments.0.annotationId"],
    ],
  ],
  "documents-migrate": [
    [{ organizationId: 7, documentId: "plan", newDocumentId: "plan" }, ["newDocumentId", "organizationId"]],
  ],
  "messages-get": [
    [{ userId: "u", documentId: "d", after: "never" }, ["after", "organizationId"]],
    [{ userId: 7, after: 2, before: 1 }, ["before", "userId"]],
  ],
  "webhook-deliveries-get": [[{ endpointId: 7, deliveryId: "d", pageSize: 5 }, ["", "endpointId"]]],
  "webhook-deliveries-retry": [[{ endpointId: 7, webhookId: "w", failedSince: 1 }, ["", "endpointId"]]],
  "webhook-endpoints-update": [
    [
      { endpointId: 7, url: undefined, filterTypes: undefined, disabled: undefined, rateLimit: undefined },
      ["", "endpointId"],
    ],
  ],
};

/** Their only rule asks for one of all their fields, so no other field can be wrong. */
const withNoOtherField = [
  "aimodelconfig-update",
  "emailconfig-update",
  "permissionproviderconfig-update",
  "slackconfig-update",
];

function bothPlaces(): [object, string[]] {
  return [{ organizationId: 7, documentId: "plan", folderId: "plans" }, ["folderId", "organizationId"]];
}

function resourceWithoutOrganization(): [object, string[]] {
  const resources = [{ type: "document", id: 7 }];
  return [
    { user: { userId: 7 }, permissions: { resources } },
    ["permissions.resources.0.id", "permissions.resources.0.organizationId", "user.userId"],
  ];
}

function annotations(count: number, comments: object[] = []): object[] {
  return many(count).map((annotationId) => ({ annotationId, from, comments }));
}

function reactions(count: number): object[] {
  return many(count).map((reactionId) => ({ reactionId, from }));
}

interface Definition {
  type: string;
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  options?: z.ZodMiniType[];
  checks?: { _zod: { def: { check: string; when?: unknown } } }[];
}

/** The rules of all objects in a request. */
function rulesOf(schema: z.ZodMiniType): { when?: unknown }[] {
  const { type, shape = {}, element, innerType, options = [], checks = [] } = schema._zod.def as unknown as Definition;
  const own = checks.map((check) => check._zod.def).filter(({ check }) => type === "object" && check === "custom");
  const inner = [...Object.values(shape), ...(element ? [element] : []), ...(innerType ? [innerType] : []), ...options];
  return [...own, ...inner.flatMap(rulesOf)];
}

const withRules = posts.filter(({ data }) => rulesOf(data).length > 0);

let as: Credentials;
beforeAll(async () => {
  as = await furnishedWorkspace();
});

it("every endpoint with such a rule has a request here that breaks it", () => {
  const named = [...Object.keys(broken), ...withNoOtherField];
  expect(withRules.map(({ name }) => name).sort()).toEqual(named.sort());
});

it.each(withRules)("$name: each rule runs although another field is invalid", ({ data }) => {
  for (const rule of rulesOf(data)) expect(rule.when).toBeTypeOf("function");
});

describe.each(withRules.filter(({ name }) => broken[name]))("$name", (endpoint) => {
  it.each(broken[endpoint.name] ?? [])("lists all issues %#", async (fields, paths) => {
    const reply = await call(endpoint, { as, data: { ...(dataOf(endpoint) as object), ...fields } });
    expectRefused(reply, "INVALID_ARGUMENT");
    expect(pathsOf(reply).sort()).toEqual(paths);
  });
});
