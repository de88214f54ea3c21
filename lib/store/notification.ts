// A notification is kept once, under its document; what a user has is a small entry that points to it. The entry's key
// follows from the notification's, so an entry written twice is one.
import { hash } from "node:crypto";
import { chunks } from "../concurrency.ts";
import type { RecipientList } from "../deletion/descendants.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { putAll } from "../jobs/commit.ts";
import type { Person } from "../schema/notifications.ts";
import { dataKeys } from "./data-keys.ts";
import * as Owner from "./owner.ts";

export interface Content {
  actionUser: Person;
  displayHeadlineMessageTemplate?: string | undefined;
  displayHeadlineMessageTemplateData?: Record<string, unknown> | undefined;
  displayBodyMessage?: string | undefined;
  notificationSource: string;
  notificationSourceData?: Record<string, unknown> | undefined;
  isNotificationResolverUsed: boolean;
  notifyUsers: Person[];
  notifyAll: boolean;
  verifyUserPermissions: boolean;
  /** Access fields that a recipient must have, as [field, value] pairs. */
  access: [string, string][];
}

/** Where a notification is kept. `at` is when it was added, ISO 8601. */
export interface Place {
  organizationId: string;
  uid: string;
  at: string;
  notificationId: string;
}

export interface Entry extends Place {
  userId: string;
  /** Of the content as it is stored, so that a page knows what it will load. */
  characters: number;
}

/** Users of one list; an item takes 400 KB. */
const listUsersMax = 1_000;
const listBytesMax = 300_000;
/** So many ids of 256 characters of four bytes fit. */
const longIdsMax = 250;

/** The writes that add a notification; the first one's condition is lost where its id is taken. */
export function creation(workspace: string, documentId: string, place: Place, content: string): Write[] {
  const { organizationId, uid, at, notificationId } = place;
  return [
    { put: { ...dataKeys.notificationName(workspace, organizationId, notificationId), ...place }, if: "absent" },
    {
      put: {
        ...dataKeys.notification(workspace, uid, at, notificationId),
        notificationId,
        organizationId,
        documentId,
        at,
        // As text: free-form data holds numbers and depths that an attribute cannot.
        content,
      },
    },
    Owner.naming(workspace, uid, { organizationId, documentId }),
  ];
}

/** The places of the notifications with these ids, in their order. */
export async function placesOf(workspace: string, organizationId: string, ids: readonly string[]) {
  return Table.getMany<Place>(ids.map((id) => dataKeys.notificationName(workspace, organizationId, id)));
}

/** The contents of these notifications as stored: JSON of `Content`. Undefined: purged. */
export async function contentsOf(workspace: string, places: readonly Place[]): Promise<(string | undefined)[]> {
  const found = await Table.getMany<{ content: string }>(
    places.map(({ uid, at, notificationId }) => dataKeys.notification(workspace, uid, at, notificationId)),
  );
  return found.map((item) => item?.content);
}

/** Gives the users the notification. First it is written down who they are: so a purge of the document finds each. */
export async function give(
  workspace: string,
  { organizationId, uid, at, notificationId }: Place,
  characters: number,
  userIds: readonly string[],
): Promise<void> {
  const lists = listsOf(userIds).map((ids) => ({
    // Named for what is in it, so that another list never takes its place.
    ...dataKeys.recipients(workspace, uid, notificationId, hash("sha256", JSON.stringify(ids), "base64url")),
    ...({ organizationId, notificationId, at, userIds: ids } satisfies RecipientList),
  }));
  const entries = userIds.map((userId) => ({
    ...dataKeys.userNotification(workspace, organizationId, userId, at, notificationId),
    ...({ organizationId, uid, at, notificationId, userId, characters } satisfies Entry),
  }));
  await putAll(lists);
  await putAll(entries);
}

function listsOf(userIds: readonly string[]): string[][] {
  return chunks(userIds, listUsersMax).flatMap((ids) =>
    Buffer.byteLength(JSON.stringify(ids)) <= listBytesMax ? [ids] : chunks(ids, longIdsMax),
  );
}
