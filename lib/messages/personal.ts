// Whom an event mentions, or to whom it assigns an annotation, as the annotation is stored now.
import type { CommentAnnotation } from "../schema/features.ts";

export function personalIn(
  type: string,
  { assignedTo, comments = [] }: CommentAnnotation,
  commentId?: string,
): string[] {
  if (type === "comment_annotation.add" || type === "comment_annotation.assign")
    return assignedTo ? [assignedTo.userId] : [];
  if (!isOfComment(type)) return [];
  const comment = comments.find((each) => each.commentId === commentId);
  return (comment?.taggedUsers ?? []).map(({ userId }) => userId);
}

/** Whether such an event can mention somebody. */
export const isOfComment = (type: string): boolean => type === "comment.add" || type === "comment.update";
