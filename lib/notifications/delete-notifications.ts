// Deletes notifications from a user's inbox (DECISIONS.md#repeated-calls).
import { notedSteps } from "../call.ts";
import { noteSteps } from "../dynamodb/write-each.ts";
import { deleteFor } from "../store/notifications/deleted-notification.ts";
import type { NotificationPointer } from "../store/notifications/inbox.ts";
import type { UserLifeRef } from "../store/refs.ts";
import { ownedEntries } from "./owned-entries.ts";

const stepName = "found";

/** Returns the ids of those that the user had. `pointers`: of these ids, in their order. */
export async function deleteNotifications(
  user: UserLifeRef,
  ids: readonly string[],
  pointers: readonly (NotificationPointer | undefined)[],
): Promise<Set<string>> {
  const noted = (await notedSteps()).get(stepName);
  // A repeat deletes what the first attempt has found. By now, another notification can have the id.
  const found = noted === undefined ? pointers : unpacked(noted);
  const owned = await ownedEntries(user, found);
  if (noted === undefined && owned.length > 0) await noteSteps({ [stepName]: packed(owned) });
  await deleteFor(user, owned);
  const deleted = noted === undefined ? owned : unpacked(noted);
  return new Set(deleted.map(({ notificationId }) => notificationId));

  /** Without the ids, which can be long: the request has them. */
  function packed(entries: readonly NotificationPointer[]): string {
    const indexOf = new Map(ids.map((id, index) => [id, index]));
    return JSON.stringify(entries.map(({ documentUid, at, notificationId: id }) => [indexOf.get(id), documentUid, at]));
  }

  function unpacked(text: string): NotificationPointer[] {
    const entries = JSON.parse(text) as [number, NotificationPointer["documentUid"], string][];
    const { organizationId } = user;
    return entries.map(([index, documentUid, at]) => {
      return { organizationId, documentUid, at, notificationId: ids[index] as string };
    });
  }
}
