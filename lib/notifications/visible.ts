// A notification as one reader sees it.
import type { Person } from "../schema/person.ts";
import type { Content } from "../store/notifications/notification.ts";
import { headlineOf } from "./render.ts";

/** Omits the other recipients, and the rules that chose them. */
export function visibleTo(reader: Person, content: Content) {
  const { notifyUsers: _users, notifyAll: _all, verifyUserPermissions: _verify, access: _access, ...rest } = content;
  const named = content.notifyUsers.find(({ userId }) => userId === reader.userId);
  const displayHeadlineMessage = headlineOf(content, { ...reader, name: named?.name ?? reader.name });
  return { ...rest, ...(displayHeadlineMessage !== undefined && { displayHeadlineMessage }) };
}
