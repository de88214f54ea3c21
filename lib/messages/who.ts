// Who gets a message (DECISIONS.md#who-gets-messages). One rule for every event, channel and user.
import type { CommentAnnotation } from "../schema/features.ts";
import type { Level } from "../schema/notifications.ts";

interface Candidate {
  /** The user made the change. Notifications have no such actor: a user who names himself wants the message. */
  isActor: boolean;
  /** For a change: author, replier, mentioned or assigned user. For a notification: named, or in a named group. */
  isInvolved: boolean;
  /** The user's level for the channel. */
  level: Level;
}

/** Who is involved gets it, except at the level `NONE`. Others get it at the level `ALL`. */
export function getsMessage({ isActor, isInvolved, level }: Candidate): boolean {
  if (isActor || level === "NONE") return false;
  return isInvolved || level === "ALL";
}

/**
 * Whether the message still says that the event mentions the user or assigns something to the user. It does not if the
 * comment was changed and no longer mentions the user. An assignment stays one.
 */
export function isStillPersonal({ comments = [] }: CommentAnnotation, userId: string, commentId?: string): boolean {
  const comment = comments.find((each) => each.commentId === commentId);
  return commentId === undefined || (comment?.taggedUsers ?? []).some((each) => each.userId === userId);
}

/** Whether such an event can mention somebody. */
export const isOfComment = (type: string): boolean => type === "comment.add" || type === "comment.update";
