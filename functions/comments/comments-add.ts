import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { editOneAnnotation } from "../../lib/features/edit-annotations.ts";
import { type Addition, additionOf, withComments } from "../../lib/features/edits.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { annotationName, NewComments } from "../../lib/schema/comment-changes.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { ActionUser } from "../../lib/schema/person.ts";
import { optional } from "../../lib/schema/primitives.ts";

const bob = { userId: "bob", name: "Bob Okoro" };

export const commentsAdd = endpoint({
  name: "comments-add",
  path: "/v2/commentannotations/comments/add",
  summary: "Add comments",
  description: "Add comments to a comment annotation. A comment without `createdAt` gets the time of the call.",
  users: "edit",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["comment.add"],
  errors: ["NOT_FOUND"],
  data: z.object({
    ...annotationName,
    comments: NewComments.check(
      z.describe("The comments to add. A comment whose id the annotation already has is not added again."),
    ),
    actionUser: optional(ActionUser),
  }),
  example: {
    organizationId: "acme",
    documentId: "plan",
    annotationId: "annotation-1",
    comments: [{ commentId: "comment-2", from: bob, text: "Yes.", taggedUsers: [{ userId: "alice" }] }],
    actionUser: bob,
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Comments added.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId, annotationId, actionUser } = data;
    const comments = distinctBy(data.comments, ({ commentId }) => commentId);
    const target = { workspace, organizationId, documentId, annotationId, actionUserId: actionUser?.userId };
    const additions = await editOneAnnotation(target, (annotation, at) => ({
      after: withComments(annotation, comments, at),
      results: comments.map((comment) => additionOf(annotation, comment)),
    }));
    return byId(comments.map(({ commentId: id }, index) => [id, resultOf(id, additions[index] as Addition)]));
  },
});
export const handler = lambda(commentsAdd, forUsers);

function resultOf(id: string, addition: Addition): ItemResult {
  if (addition === "taken") return failed(id, "already-exists", "The annotation has another comment with this id.");
  return done(id, addition === "added" ? "Added." : "Unchanged.");
}
