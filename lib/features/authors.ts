// Users change nothing that other users wrote (DECISIONS.md#calls-of-users).
import { ApiError } from "../errors.ts";
import type { CallingUser } from "../http/endpoint.ts";
import type { CommentAnnotation } from "../schema/features.ts";

/** Whether the caller may change what this person wrote. Servers may change everything. */
export const mayChange = (user: CallingUser | undefined, from: { userId: string }): boolean =>
  user === undefined || from.userId === user.userId;

/** Throws PERMISSION_DENIED if another user wrote one of the comments. */
export function requireAuthor(
  user: CallingUser | undefined,
  { comments = [] }: CommentAnnotation,
  commentIds: readonly string[],
): void {
  const named = comments.filter(({ commentId }) => commentIds.includes(commentId));
  if (named.every(({ from }) => mayChange(user, from))) return;
  throw new ApiError("PERMISSION_DENIED", "Only its author may change or delete a comment.");
}
