import * as z from "zod/mini";
import { ensureDocument } from "../../lib/content/ensure-document.ts";
import * as Table from "../../lib/dynamodb/table.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { newId } from "../../lib/new-id.ts";
import { storedContent } from "../../lib/notifications/content.ts";
import { fanOutJob } from "../../lib/notifications/fan-out.ts";
import {
  headlineAndBody,
  NotificationContext,
  NotificationId,
  notificationSources,
  Person,
  TemplateData,
} from "../../lib/schema/notifications.ts";
import { bulkMax, Flag, Id, optional, Text } from "../../lib/schema/primitives.ts";
import * as Document from "../../lib/store/document.ts";
import * as Notification from "../../lib/store/notification.ts";
import * as Organization from "../../lib/store/organization.ts";

export const notificationsAdd = endpoint({
  name: "notifications-add",
  path: "/v2/notifications/add",
  group: "collaboration",
  contract: 25,
  summary: "Notify users, or a whole organization, of what happened on a document.",
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
      notifyUsers: z
        .array(Person, "Must be a list.")
        .check(z.maxLength(bulkMax, `Must have at most ${bulkMax} users.`)),
      notifyAll: optional(Flag),
      notificationSource: optional(z.enum(notificationSources, `Must be one of ${notificationSources.join(", ")}.`)),
      notificationSourceData: optional(z.record(z.string(), z.unknown(), "Must be an object.")),
      context: optional(NotificationContext),
    })
    .check(...headlineAndBody),
  example: {
    organizationId: "acme",
    documentId: "plan",
    actionUser: { userId: "alice", name: "Alice" },
    displayHeadlineMessageTemplate: "{actionUser} finished {task}",
    displayHeadlineMessageTemplateData: { task: "the plan" },
    displayBodyMessage: "Have a look.",
    notifyUsers: [{ userId: "bob" }],
  },
  reply: z.object({ success: z.literal(true), message: z.string() }),
  message: "Notification accepted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId, notificationId = newId() } = data;
    const content = storedContent(data);
    const [hasOrganization, [pointer], [taken]] = await Promise.all([
      Organization.exists(workspace, organizationId),
      Document.pointers(workspace, organizationId, [documentId]),
      Notification.placesOf(workspace, organizationId, [notificationId]),
    ]);
    if (taken) return repeated;
    const uid = await ensureDocument(workspace, data, { hasOrganization, pointer });
    const place = { organizationId, uid, at: new Date().toISOString(), notificationId };
    const event = {
      notificationId,
      notificationSource: data.notificationSource ?? "custom",
      actionUserId: data.actionUser.userId,
    };
    const isNew = await Table.commit(Notification.creation(workspace, documentId, place, content), {
      jobs: [fanOutJob(workspace, place)],
      events: [{ type: "notification.add", workspace, organizationId, documentId, data: event }],
    });
    return isNew ? accepted : repeated;
  },
});
export const handler = lambda(notificationsAdd);

const accepted = { success: true, message: "The notification will reach its recipients." } as const;
const repeated = { success: true, message: "The notification was added before." } as const;
