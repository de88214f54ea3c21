// What a reader sees of a notification.
import type { Person } from "../schema/person.ts";
import type { Content } from "../store/notification.ts";
import { headlineOf } from "./render.ts";

/** Leaves out who else was notified, and by which rules. */
export function visibleTo(reader: Person, content: Content) {
  const { notifyUsers: _users, notifyAll: _all, verifyUserPermissions: _verify, access: _access, ...rest } = content;
  const named = content.notifyUsers.find(({ userId }) => userId === reader.userId);
  const displayHeadlineMessage = headlineOf(content, { ...reader, name: named?.name ?? reader.name });
  return { ...rest, ...(displayHeadlineMessage !== undefined && { displayHeadlineMessage }) };
}
