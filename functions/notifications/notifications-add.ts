import * as z from "zod/mini";
import { addDocuments } from "../../lib/content/add-documents.ts";
import { createOrganizations } from "../../lib/content/existing.ts";
import { ApiError, noOrganization, notFound } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { newId } from "../../lib/new-id.ts";
import { storedContent } from "../../lib/notifications/stored-content.ts";
import { hasEnded, notificationTtl } from "../../lib/retention.ts";
import { derived } from "../../lib/schema/derived.ts";
import { CreateOrganization, DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { mustBeList, mustBeObject } from "../../lib/schema/messages.ts";
import {
  headlineAndBody,
  headlineAndBodySchema,
  NotificationContext,
  NotificationId,
  notificationSources,
  TemplateData,
} from "../../lib/schema/notifications.ts";
import { RealPerson } from "../../lib/schema/person.ts";
import { AlwaysTrue, bulkMax, distinct, Flag, Id, optional, Text } from "../../lib/schema/primitives.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Organization from "../../lib/store/content/organization.ts";
import * as Owner from "../../lib/store/content/owner.ts";
import * as Notification from "../../lib/store/notifications/notification.ts";
import type { DocumentRef, DocumentUid } from "../../lib/store/refs.ts";

const groupsMax = 20;

const stored = derived(
  storedContent,
  "actionUser",
  "verifyUserPermissions",
  "isNotificationResolverUsed",
  "displayHeadlineMessageTemplate",
  "displayHeadlineMessageTemplateData",
  "displayBodyMessage",
  "notifyUsers",
  "notifyUserGroups",
  "notifyAll",
  "notificationSource",
  "notificationSourceData",
  "context",
);

export const notificationsAdd = endpoint({
  name: "notifications-add",
  path: "/v2/notifications/add",
  contract: 25,
  summary: "Add a notification",
  description: "Notify users or a whole organization about an event on a document.",
  grants: ["table:read", "table:write", "queue:notify"],
  events: ["document.add", "notification.add", "organization.add"],
  errors: ["NOT_FOUND"],
  data: z
    .object({
      organizationId: OrganizationId,
      createOrganization: CreateOrganization,
      documentId: DocumentId,
      createDocument: optional(Flag).check(
        z.describe("true: a missing document is created. Default false: then it is NOT_FOUND."),
      ),
      actionUser: RealPerson.check(
        z.describe("The user whose action it is. `{actionUser}` in the headline stands for the name."),
      ),
      verifyUserPermissions: optional(Flag).check(
        z.describe("true: only users with access to the document get it. Default false."),
      ),
      notificationId: optional(NotificationId),
      isNotificationResolverUsed: optional(Flag).check(
        z.describe(
          "true: your application supplies the texts when it shows the notification, and none are stored. Default false.",
        ),
      ),
      displayHeadlineMessageTemplate: optional(Text).check(
        z.describe("The headline. `{actionUser}` and the names of template data in braces stand for their values."),
      ),
      displayHeadlineMessageTemplateData: optional(TemplateData).check(
        z.describe("The values for the names in the headline: texts. Only actionUser and recipientUser take users."),
      ),
      displayBodyMessage: optional(Text).check(z.describe("The text below the headline.")),
      notifyUsers: z
        .array(RealPerson, mustBeList)
        .check(
          z.maxLength(bulkMax, `Must have at most ${bulkMax} users.`),
          z.describe("The users to notify, at most 1,000. They need no profile. The list may be empty with notifyAll."),
        ),
      notifyUserGroups: optional(
        z
          .array(Id, mustBeList)
          .check(
            z.maxLength(groupsMax, `Must have at most ${groupsMax} user groups.`),
            z.describe(
              `Ids of at most ${groupsMax} organization user groups. Their members are notified as if notifyUsers had them.`,
            ),
          ),
      ),
      notifyAll: optional(
        Flag.check(
          z.describe(
            "Notifies all users of the organization: each user who got a profile or a grant, until the user is deleted. " +
              "verifyUserPermissions keeps those with access. Default: true.",
          ),
        ),
      ),
      notificationSource: optional(
        z.enum(notificationSources, `Must be one of ${notificationSources.join(", ")}.`),
      ).check(z.describe("What the notification comes from. Default: custom.")),
      notificationSourceData: optional(z.record(z.string(), z.unknown(), mustBeObject)).check(
        z.describe("Your own fields about the source, such as a comment's id."),
      ),
      context: optional(NotificationContext).check(z.describe("Only users whose access fields match get it.")),
    })
    .check(...headlineAndBody, stored.check, z.meta(headlineAndBodySchema)),
  example: {
    organizationId: "acme",
    documentId: "plan",
    actionUser: { userId: "alice", name: "Alice Meyer" },
    notificationId: "n-1",
    displayHeadlineMessageTemplate: "{actionUser} finished {task}",
    displayHeadlineMessageTemplateData: { task: "the launch plan" },
    displayBodyMessage: "Have a look.",
    notifyUsers: [{ userId: "bob" }],
    notifyAll: false,
  },
  reply: z.object({ success: AlwaysTrue, message: z.string().check(z.describe("What happened, for a developer.")) }),
  message: "Notification accepted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId, notificationId = newId() } = data;
    const groupIds = distinct(data.notifyUserGroups ?? []);
    const content = stored.of(data);
    const organization = { workspace, organizationId };
    const [hasOrganization, [pointer], [taken], groups] = await Promise.all([
      Organization.exists(organization),
      Document.pointers(organization, [documentId]),
      Notification.pointers(organization, [notificationId]),
      UserGroup.refsOf(organization, groupIds),
    ]);
    if (taken && !hasEnded(taken)) return repeated;
    const lives = groups.map((life) => {
      if (!life) throw notFound("organization user group");
      const { organizationUserGroupId, groupUid } = life;
      return { organizationUserGroupId, groupUid };
    });
    const documentUid = await ensureDocument({ ...organization, documentId }, data, { hasOrganization, pointer });
    const at = new Date().toISOString();
    const ref = { ...organization, documentUid, at, notificationId, ttl: notificationTtl(at) };
    const actorId = data.actionUser.userId;
    const event = { notificationId, notificationSource: data.notificationSource, actionUserId: actorId };
    await Owner.name({ workspace, documentUid }, { organizationId, documentId });
    const add = (ended?: typeof taken) =>
      commit(Notification.creation(ref, { documentId, actorId, content }, ended), {
        jobs: [Notification.notifyJob(ref, lives)],
        events: [{ type: "notification.add", workspace, organizationId, documentId, data: event }],
      });
    // DynamoDB can delete the ended one before it is replaced.
    const isNew = (await add(taken)) || (taken !== undefined && (await add()));
    return isNew ? accepted(data) : repeated;
  },
});
export const handler = lambda(notificationsAdd);

interface Recipients {
  notifyAll?: boolean | undefined;
  notifyUsers: readonly unknown[];
  notifyUserGroups?: readonly unknown[] | undefined;
}

function accepted({ notifyAll = true, notifyUsers, notifyUserGroups = [] }: Recipients) {
  const isForNobody = !notifyAll && notifyUsers.length + notifyUserGroups.length === 0;
  const message = isForNobody
    ? "Nobody gets the notification: it names no user."
    : "The notification is queued for delivery.";
  return { success: true, message } as const;
}

const repeated = { success: true, message: "The notification was added before." } as const;

/**
 * Returns the internal id of the document. Creates a missing organization or document if its flag is set; the document
 * is added to the organization's root. Otherwise throws, and creates nothing. `hasOrganization` and `pointer`:
 * as the caller has read them.
 */
async function ensureDocument(
  { documentId, ...organization }: DocumentRef,
  {
    createOrganization,
    createDocument,
  }: { createOrganization?: boolean | undefined; createDocument?: boolean | undefined },
  { hasOrganization, pointer }: { hasOrganization: boolean; pointer: Document.Pointer | undefined },
): Promise<DocumentUid> {
  if (!hasOrganization && !createOrganization) throw noOrganization();
  if (Document.isDocument(pointer)) return pointer.documentUid;
  if (!createDocument) throw notFound("document");
  if (!hasOrganization) await createOrganizations(organization, [organization]);
  const document = { documentId, ancestors: [], createdAt: new Date().toISOString() };
  await addDocuments(organization, [document], [pointer]);
  const created = await Document.get({ ...organization, documentId });
  if (!created) throw new ApiError("UNAVAILABLE", "The document is being deleted. Try again.");
  return created.documentUid;
}
