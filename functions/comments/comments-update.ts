import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { requireAuthor } from "../../lib/features/authors.ts";
import { editOneAnnotation } from "../../lib/features/edit-annotations.ts";
import { withUpdatedComment } from "../../lib/features/edits.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { annotationName, commentUpdate, someUpdate } from "../../lib/schema/comment-changes.ts";
import { AnnotationId, CommentId } from "../../lib/schema/fields.ts";
import { ActionUser } from "../../lib/schema/person.ts";
import { optional } from "../../lib/schema/primitives.ts";

export const commentsUpdate = endpoint({
  name: "comments-update",
  path: "/v2/commentannotations/comments/update",
  summary: "Update a comment",
  description: "Update the text, tagged users or metadata of a comment.",
  users: "edit",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["comment.update"],
  errors: ["NOT_FOUND"],
  data: z
    .object({ ...annotationName, commentId: CommentId, ...commentUpdate, actionUser: optional(ActionUser) })
    .check(someUpdate),
  example: {
    organizationId: "acme",
    documentId: "plan",
    annotationId: "annotation-1",
    commentId: "comment-1",
    text: "Shall we, on Monday?",
    actionUser: { userId: "alice" },
  },
  reply: z.object({ annotationId: AnnotationId, commentId: CommentId }),
  timeoutSeconds: 25,
  message: "Comment updated.",

  async handle({ data, caller: { workspace, user } }) {
    const { organizationId, documentId, annotationId, commentId, actionUser, text, taggedUsers, metadata } = data;
    const target = { workspace, organizationId, documentId, annotationId, actionUserId: actionUser?.userId };
    const update = { text, taggedUsers, metadata };
    await editOneAnnotation(target, (annotation, at) => {
      requireAuthor(user, annotation, [commentId]);
      return { after: withUpdatedComment(annotation, commentId, update, at) };
    });
    return { annotationId, commentId };
  },
});
export const handler = lambda(commentsUpdate, forUsers);
