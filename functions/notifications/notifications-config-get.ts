import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { ApiKey, OrganizationId, UserId } from "../../lib/schema/fields.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { mustBeList, mustHaveAtMost } from "../../lib/schema/messages.ts";
import { Levels } from "../../lib/schema/notifications.ts";
import { distinct, Flag, Id, optional } from "../../lib/schema/primitives.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import * as User from "../../lib/store/access/user.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Preference from "../../lib/store/notifications/preference.ts";

const documentsMax = 30;

const hasRequest = z.refine<{ documentIds?: string[] | undefined; getOrganizationConfig?: boolean | undefined }>(
  ({ documentIds = [], getOrganizationConfig }) => documentIds.length > 0 || getOrganizationConfig === true,
  {
    error: "Give documentIds, or set getOrganizationConfig to true.",
    path: ["documentIds"],
    when: whenValid("documentIds", "getOrganizationConfig"),
  },
);

export const notificationsConfigGet = endpoint({
  name: "notifications-config-get",
  path: "/v2/notifications/config/get",
  contract: 23,
  summary: "Get notification preferences",
  description: "Get a user's notification preferences for documents and for an organization.",
  needs: ["notifications"],
  users: "view",
  grants: ["table:read"],
  errors: ["FAILED_PRECONDITION"],
  data: z
    .object({
      organizationId: OrganizationId,
      userId: actor(UserId),
      documentIds: optional(
        z.array(Id, mustBeList).check(z.maxLength(documentsMax, mustHaveAtMost(documentsMax))),
      ).check(z.describe("The documents, at most 30. May be absent with getOrganizationConfig.")),
      getOrganizationConfig: optional(Flag).check(
        z.describe("true: the preference for the organization too. Default false."),
      ),
    })
    .check(hasRequest),
  example: { organizationId: "acme", userId: "bob", documentIds: ["plan"], getOrganizationConfig: true },
  reply: z
    .array(
      z.object({
        config: Levels.check(z.describe("The level of each channel.")),
        metadata: z
          .object({
            organizationId: OrganizationId,
            apiKey: ApiKey,
            documentId: z
              .nullable(z.string())
              .check(z.describe("The document. null: the preference is for the organization.")),
            userId: UserId,
          })
          .check(z.describe("What the preference is for.")),
      }),
    )
    .check(
      z.describe("The preferences that the request asks for. Where none is set: inbox ALL, email and slack MINE."),
    ),
  message: "Notification preferences retrieved.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, userId, getOrganizationConfig } = data;
    const documentIds = distinct(data.documentIds ?? []);
    const organization = { workspace, organizationId };
    const [user, documents] = await Promise.all([
      User.get({ ...organization, userId }),
      Document.getMany(organization, documentIds),
    ]);
    const documentUids = documents.flatMap((document) => document?.documentUid ?? []);
    const stored = await Preference.listOf(organization, userId, documentUids);
    const byUid = new Map<string | undefined, (typeof stored)[number]>(
      documentUids.map((documentUid, index) => [documentUid, stored[index]]),
    );
    const metadata = { organizationId, apiKey: workspace, documentId: null, userId };
    const entries = documentIds.map((documentId, index) => ({
      config: Preference.resolve(user, byUid.get(documents[index]?.documentUid)),
      metadata: { ...metadata, documentId },
    }));
    return getOrganizationConfig ? [...entries, { config: Preference.resolve(user), metadata }] : entries;
  },
});
export const handler = readLambda(notificationsConfigGet, forUsers);
