// What of a notification its reader sees.
import type { Person } from "../schema/notifications.ts";
import type { Content } from "../store/notification.ts";
import { headlineOf } from "./render.ts";

/** Who else was notified, and by which rules, is not the reader's to know. */
export function visible(content: Content, reader: Person) {
  const { notifyUsers: _users, notifyAll: _all, verifyUserPermissions: _verify, access: _access, ...rest } = content;
  const named = content.notifyUsers.find(({ userId }) => userId === reader.userId);
  const displayHeadlineMessage = headlineOf(content, { ...reader, name: named?.name ?? reader.name });
  return { ...rest, ...(displayHeadlineMessage !== undefined && { displayHeadlineMessage }) };
}
