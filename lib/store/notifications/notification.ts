// A notification is stored once, under its document. Each recipient has a small entry that points to it (`inbox.ts`).
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { hasEnded } from "../../retention.ts";
import type { TemplateData } from "../../schema/notifications.ts";
import type { Person } from "../../schema/person.ts";
import type { StoredLife } from "../access/user-group.ts";
import { getManyOf } from "../content/organization-life.ts";
import { type Job, newJob } from "../job.ts";
import {
  type Descendants,
  type DocumentDataRef,
  documentDataPartition,
  type OrganizationRef,
  organizationPartition,
  type WorkspaceRef,
} from "../refs.ts";
import { deletedNotificationEntity } from "./deleted-notification.ts";
import { actedEntryEntity, type NotificationPointer } from "./inbox.ts";
import { recipientListEntity } from "./recipients.ts";

export interface Content {
  actionUser: Person;
  displayHeadlineMessageTemplate?: string | undefined;
  displayHeadlineMessageTemplateData?: TemplateData | undefined;
  displayBodyMessage?: string | undefined;
  notificationSource?: string | undefined;
  notificationSourceData?: Record<string, unknown> | undefined;
  isNotificationResolverUsed: boolean;
  notifyUsers: Person[];
  notifyAll: boolean;
  /** Whether it names user groups. Absent in notifications of before. */
  notifiesGroups?: boolean;
  verifyUserPermissions: boolean;
  /** Access fields that a recipient must have, as [field, value] pairs. */
  access: [string, string][];
}

/** Whether it goes to these users only. A notification that says nothing about groups can go to others too. */
export function isOnlyFor(content: string, users: ReadonlySet<string>): boolean {
  const { notifyUsers, notifyAll, notifiesGroups } = JSON.parse(content) as Content;
  const isNamed = notifyUsers.length > 0 && notifyUsers.every(({ userId }) => users.has(userId));
  return isNamed && !notifyAll && notifiesGroups === false;
}

/** The pointer to a notification, with its workspace. */
export type NotificationRef = NotificationPointer & WorkspaceRef;

interface StoredNotification extends NotificationPointer {
  documentId: string;
  /** `Content` as JSON: DynamoDB limits the precision of numbers and the depth of nesting. */
  content: string;
}

export const notificationEntity = entity<StoredNotification>()({
  name: "notification",
  attributes: ["organizationId", "documentId", "documentUid", "at", "notificationId", "content", "ttl"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  prefix: "NOTE#",
  sk: ({ at, notificationId }: Pick<NotificationPointer, "at" | "notificationId">) =>
    `${at}#${segment(notificationId)}`,
});

export const notificationPointerEntity = entity<NotificationPointer>()({
  name: "notification-pointer",
  attributes: ["organizationId", "documentUid", "at", "notificationId", "ttl"],
  pk: ({ notificationId, ...ref }: OrganizationRef & { notificationId: string }) =>
    `${organizationPartition(ref)}#NOTE#${segment(notificationId)}`,
  sk: () => "NOTE",
});

/**
 * The lists of its recipients, the marks of its deletion and its actor's entry. Also its pointer, unless another
 * notification has the id by now.
 */
export function notificationDescendants(notification: StoredNotification & WorkspaceRef): Descendants {
  const { documentUid, content } = notification;
  return {
    partitions: [recipientListEntity.partition(notification), deletedNotificationEntity.partition(notification)],
    items: [actedEntryEntity.key({ ...notification, userId: actorOf(content) })],
    conditional: [notificationPointerEntity.delete(notification, { documentUid })],
  };
}

const actorOf = (content: string) => (JSON.parse(content) as Content).actionUser.userId;

/**
 * The writes that add a notification. The first one's condition fails when its id is taken. `content`: `Content` as
 * JSON. `actorId`: its actor. `ended`: the stored pointer of an ended notification with the same id. It is replaced.
 */
export function creation(
  ref: NotificationRef,
  { documentId, actorId, content }: { documentId: string; actorId: string; content: string },
  ended?: NotificationPointer,
): Write[] {
  const acted = { ...ref, userId: actorId };
  return [
    notificationPointerEntity.put(ref, ref, ended ? { at: ended.at, ttl: ended.ttl } : "absent"),
    notificationEntity.put(ref, { ...ref, documentId, content }),
    actedEntryEntity.put(acted, acted),
  ];
}

/** The pointers of the notifications with these ids, in their order, also of ended ones. */
export async function pointers(organization: OrganizationRef, ids: readonly string[]) {
  return getManyOf<NotificationPointer>(
    organization,
    ids.map((notificationId) => notificationPointerEntity.key({ ...organization, notificationId })),
  );
}

/** The contents of these notifications as stored: `Content` as JSON. Undefined after the end, and after the purge. */
export async function contentsOf(
  { workspace }: WorkspaceRef,
  notifications: readonly NotificationPointer[],
): Promise<(string | undefined)[]> {
  return (await getMany({ workspace }, notifications)).map((item) => item?.content);
}

/** These notifications in their order. Undefined after the end, and after the purge. */
export async function getMany({ workspace }: WorkspaceRef, notifications: readonly NotificationPointer[]) {
  const found = await Table.getMany<StoredNotification>(
    notifications.map((each) => notificationEntity.key({ ...each, workspace })),
  );
  return found.map((item) => (item && !hasEnded(item) ? item : undefined));
}

/** The job that brings it to its recipients. `groups`: the user groups whose members the notification names. */
export function notifyJob({ workspace, ...pointer }: NotificationRef, groups: readonly StoredLife[] = []): Job {
  return newJob("notify", workspace, { ...pointer, ...(groups.length > 0 && { groups }) });
}
