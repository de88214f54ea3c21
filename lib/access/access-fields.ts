// `context.access` of a notification: only users whose access fields match get it (DECISIONS.md#notification-recipients).
import * as User from "../store/access/user.ts";
import type { Content } from "../store/notifications/notification.ts";

/** Access fields of a user, as [field, value] pairs. */
export type AccessFields = Content["access"];

/** The fields of a user. `onDocument`: fields of the user's active grants on the document and the folders above it. */
export const fieldsOf = (user: User.User | undefined, onDocument: AccessFields): AccessFields => [
  ...((User.isMember(user) && user.access) || []),
  ...onDocument,
];

export const hasFields = ({ access }: Pick<Content, "access">, fields: AccessFields): boolean =>
  access.every(([field, value]) => fields.some((each) => each[0] === field && each[1] === value));
