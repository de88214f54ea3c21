import * as z from "zod/mini";
import { addDocuments } from "../../lib/content/add-documents.ts";
import { createOrganizations } from "../../lib/content/create-organizations.ts";
import { ApiError, notFound } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { newId } from "../../lib/new-id.ts";
import { notifyJob } from "../../lib/notifications/notify-job.ts";
import { storedContent } from "../../lib/notifications/stored-content.ts";
import { hasEnded, notificationTtl } from "../../lib/retention.ts";
import { derived } from "../../lib/schema/derived.ts";
import { mustBeList, mustBeObject } from "../../lib/schema/messages.ts";
import {
  headlineAndBody,
  headlineAndBodySchema,
  NotificationContext,
  NotificationId,
  notificationSources,
  TemplateData,
} from "../../lib/schema/notifications.ts";
import { Person } from "../../lib/schema/person.ts";
import { bulkMax, distinct, Flag, Id, optional, Text } from "../../lib/schema/primitives.ts";
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
  "notifyAll",
  "notificationSource",
  "notificationSourceData",
  "context",
);

export const notificationsAdd = endpoint({
  name: "notifications-add",
  path: "/v2/notifications/add",
  group: "notifications",
  contract: 25,
  summary: "Add a notification",
  description: "Notify users or a whole organization about an event on a document.",
  grants: ["table:read", "table:write", "queue:notify"],
  events: ["document.add", "notification.add", "organization.add"],
  errors: ["NOT_FOUND"],
  data: z
    .object({
      organizationId: Id,
      createOrganization: optional(Flag),
      documentId: Id,
      createDocument: optional(Flag),
      actionUser: Person,
      verifyUserPermissions: optional(Flag),
      notificationId: optional(NotificationId),
      isNotificationResolverUsed: optional(Flag),
      displayHeadlineMessageTemplate: optional(Text),
      displayHeadlineMessageTemplateData: optional(TemplateData),
      displayBodyMessage: optional(Text),
      notifyUsers: z.array(Person, mustBeList).check(z.maxLength(bulkMax, `Must have at most ${bulkMax} users.`)),
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
            "Notifies all members of the organization, and all users with a grant on the document or a folder above it. " +
              "Default: true.",
          ),
        ),
      ),
      notificationSource: optional(z.enum(notificationSources, `Must be one of ${notificationSources.join(", ")}.`)),
      notificationSourceData: optional(z.record(z.string(), z.unknown(), mustBeObject)),
      context: optional(NotificationContext),
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
  reply: z.object({ success: z.literal(true), message: z.string() }),
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
      UserGroup.livesOf(organization, groupIds),
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
        jobs: [notifyJob(ref, lives)],
        events: [{ type: "notification.add", workspace, organizationId, documentId, data: event }],
      });
    // DynamoDB can delete the ended one before it is replaced.
    const isNew = (await add(taken)) || (taken !== undefined && (await add()));
    return isNew ? accepted : repeated;
  },
});
export const handler = lambda(notificationsAdd);

const accepted = { success: true, message: "The notification is queued for delivery." } as const;
const repeated = { success: true, message: "The notification was added before." } as const;

/**
 * Returns the internal id of the document. Creates a missing organization or document if its flag is set; the document
 * is added to the organization's root. Otherwise throws NOT_FOUND and creates nothing. `hasOrganization` and `pointer`
 * are what the caller has read.
 */
async function ensureDocument(
  { documentId, ...organization }: DocumentRef,
  {
    createOrganization,
    createDocument,
  }: { createOrganization?: boolean | undefined; createDocument?: boolean | undefined },
  { hasOrganization, pointer }: { hasOrganization: boolean; pointer: Document.Pointer | undefined },
): Promise<DocumentUid> {
  if (!hasOrganization && !createOrganization) throw notFound("organization");
  if (Document.isDocument(pointer)) return pointer.documentUid;
  if (!createDocument) throw notFound("document");
  if (!hasOrganization) await createOrganizations(organization, [organization]);
  const document = { documentId, ancestors: [], createdAt: new Date().toISOString() };
  await addDocuments(organization, [document], [pointer]);
  const created = await Document.get({ ...organization, documentId });
  if (!created) throw new ApiError("UNAVAILABLE", "The document is being deleted. Try again.");
  return created.documentUid;
}
