import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { OrganizationId, UserId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { byId, resultWith } from "../../lib/schema/item-result.ts";
import { mustBeList, mustHaveAtMost } from "../../lib/schema/messages.ts";
import { channels, Levels } from "../../lib/schema/notifications.ts";
import { bulkMax, distinct, Id, ids } from "../../lib/schema/primitives.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import * as User from "../../lib/store/access/user.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Organization from "../../lib/store/content/organization.ts";
import * as Preference from "../../lib/store/notifications/preference.ts";

const hasLevel = z.refine<Preference.Preference>(
  (config) => channels.some((channel) => config[channel] !== undefined),
  { error: `Give at least one of ${channels.join(", ")}.`, when: whenValid(...channels) },
);

const hasFewEntries = z.refine<{ userIds: string[]; documentIds: string[] }>(
  ({ userIds, documentIds }) => distinct(userIds).length * distinct(documentIds).length <= bulkMax,
  {
    error: `Users times documents must be at most ${bulkMax}.`,
    path: ["userIds"],
    when: whenValid("userIds", "documentIds"),
  },
);

const Result = resultWith(
  {
    userId: UserId,
    documentId: z
      .nullable(z.string())
      .check(z.describe("The first document of the request. null: for the organization.")),
    documents: z
      .optional(z.record(z.string(), resultWith({}, {})))
      .check(z.describe("A result for each document of the request, by its id.")),
  },
  {},
);

export const notificationsConfigSet = endpoint({
  name: "notifications-config-set",
  path: "/v1/notifications/config/set",
  contract: 24,
  summary: "Set notification preferences",
  description:
    "Set notification preferences of users for documents, or for the organization if documentIds is empty. The users " +
    "need no profile.",
  needs: ["notifications"],
  users: "view",
  grants: ["table:read", "table:write", "table:delete"],
  errors: ["FAILED_PRECONDITION"],
  data: z
    .object({
      organizationId: OrganizationId,
      documentIds: z
        .array(Id, mustBeList)
        .check(
          z.maxLength(bulkMax, mustHaveAtMost(bulkMax)),
          z.describe("The documents, at most 100 from a user. Empty: the preference is for the organization."),
        ),
      userIds: actor(ids().check(z.describe("The users, by their ids. A repeated id counts once."))),
      config: z
        .partial(Levels)
        .check(hasLevel, z.describe("The level of each channel, at least one. An omitted channel keeps its level.")),
    })
    .check(hasFewEntries),
  example: { organizationId: "acme", documentIds: ["plan"], userIds: ["bob"], config: { inbox: "MINE" } },
  reply: z.record(z.string(), Result).check(z.describe("A result for each user of the request, by the user's id.")),
  timeoutSeconds: 25,
  message: "Notification preferences set.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, config } = data;
    const userIds = distinct(data.userIds);
    const documentIds = distinct(data.documentIds);
    const organization = { workspace, organizationId };
    const [hasOrganization, users, documents] = await Promise.all([
      Organization.exists(organization),
      User.getMany(organization, userIds),
      Document.getMany(organization, documentIds),
    ]);
    const known = hasOrganization ? users.filter(User.isKnown) : [];
    const documentUids = documents.flatMap((document) => document?.documentUid ?? []);
    const isSet =
      documentIds.length > 0
        ? await Preference.setOnDocuments(organization, known, documentUids, config).then(() => known.map(() => true))
        : await Preference.setOnOrganization(organization, known, config);
    const set = new Set(known.filter((_, index) => isSet[index]).map(({ userId }) => userId));
    const resultOf = (userId: string) => (hasOrganization ? (set.has(userId) ? done : noUser) : noOrganization);
    return byId(
      userIds.map((userId): [string, z.input<typeof Result>] => {
        const own = resultOf(userId);
        if (documentIds.length === 0) return [userId, { ...own, userId, documentId: null }];
        const results = documents.map((document) => (own.success && !document ? noDocument : own));
        const overall = results.find(({ success }) => !success) ?? done;
        const count = results.filter(({ success }) => success).length;
        const message = `${overall.message} Set on ${count} of ${results.length} documents.`;
        const byDocument = byId(documentIds.map((id, index) => [id, results[index] ?? own]));
        const several = results.length > 1 && { message };
        return [userId, { ...overall, ...several, userId, documentId: documentIds[0] ?? null, documents: byDocument }];
      }),
    );
  },
});
export const handler = lambda(notificationsConfigSet, forUsers);

const done = { success: true, message: "Preferences set." } as const;
const noUser = {
  success: false,
  message: "The user does not exist: add it with users/add, or give it access with permissions/add.",
  code: "not-found",
} as const;
const noDocument = { success: false, message: "The document does not exist.", code: "document-not-found" } as const;
const noOrganization = {
  success: false,
  message: "The organization does not exist.",
  code: "organization-not-found",
} as const;
