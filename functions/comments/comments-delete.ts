import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { requireAuthor } from "../../lib/features/authors.ts";
import { editOneAnnotation } from "../../lib/features/edit-annotations.ts";
import { withoutComments } from "../../lib/features/edits.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { annotationName } from "../../lib/schema/comment-changes.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { ActionUser } from "../../lib/schema/person.ts";
import { distinct, ids, optional } from "../../lib/schema/primitives.ts";

export const commentsDelete = endpoint({
  name: "comments-delete",
  path: "/v2/commentannotations/comments/delete",
  summary: "Delete comments",
  description: "Delete comments of a comment annotation, which stays. An unknown comment is no error.",
  users: "edit",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["comment.delete"],
  errors: ["NOT_FOUND"],
  data: z.object({
    ...annotationName,
    commentIds: ids().check(z.describe("The comments to delete. An unknown one is no error.")),
    actionUser: optional(ActionUser),
  }),
  example: {
    organizationId: "acme",
    documentId: "plan",
    annotationId: "annotation-1",
    commentIds: ["comment-2"],
    actionUser: { userId: "alice" },
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Comments deleted.",

  async handle({ data, caller: { workspace, user } }) {
    const { organizationId, documentId, annotationId, actionUser } = data;
    const commentIds = distinct(data.commentIds);
    const target = { workspace, organizationId, documentId, annotationId, actionUserId: actionUser?.userId };
    const results = await editOneAnnotation(target, (annotation) => {
      requireAuthor(user, annotation, commentIds);
      const known = new Set((annotation.comments ?? []).map(({ commentId }) => commentId));
      return {
        after: withoutComments(annotation, new Set(commentIds)),
        results: commentIds.map((id) => (known.has(id) ? "deleted" : "missing")),
      };
    });
    const messages: Record<string, string> = { deleted: "Deleted.", missing: "The comment does not exist." };
    return byId(commentIds.map((id, index) => [id, done(id, messages[results[index] as string] as string)]));
  },
});
export const handler = lambda(commentsDelete, forUsers);
