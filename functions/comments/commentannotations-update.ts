import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { mayChange } from "../../lib/features/authors.ts";
import { type Edit, type EditOutcome, editAnnotations } from "../../lib/features/edit-annotations.ts";
import { updated } from "../../lib/features/edits.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { AnnotationUpdate } from "../../lib/schema/comment-changes.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { byId, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { ActionUser } from "../../lib/schema/person.ts";
import { distinct, ids, optional } from "../../lib/schema/primitives.ts";

export const commentannotationsUpdate = endpoint({
  name: "commentannotations-update",
  path: "/v2/commentannotations/update",
  summary: "Update comment annotations",
  description:
    "Update the status, priority, assignment or metadata of comment annotations. The status RESOLVED resolves a thread, and OPEN opens it again. A user changes the metadata of the user's own threads only.",
  users: "edit",
  grants: ["table:read", "table:write", "table:delete"],
  events: [
    "comment_annotation.assign",
    "comment_annotation.priority_change",
    "comment_annotation.status_change",
    "comment_annotation.update",
  ],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: DocumentId,
    annotationIds: ids().check(z.describe("The comment annotations to change.")),
    actionUser: optional(ActionUser),
    update: AnnotationUpdate.check(z.describe("What to change. Omitted fields keep their values.")),
  }),
  example: {
    organizationId: "acme",
    documentId: "plan",
    annotationIds: ["annotation-1"],
    actionUser: { userId: "alice" },
    update: { status: "RESOLVED", priority: null, metadata: { colour: "green" } },
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Comment annotations updated.",

  async handle({ data, caller: { workspace, user } }) {
    const { organizationId, documentId, actionUser, update } = data;
    const annotationIds = distinct(data.annotationIds);
    const ref = { workspace, organizationId, documentId };
    const { documentUid } = await existingDocument(ref);
    const edit: Edit = (annotation) => {
      const isAllowed = update.metadata === undefined || mayChange(user, annotation.from);
      return isAllowed ? { after: updated(annotation, update) } : { after: annotation, results: [notAuthor] };
    };
    const outcome = await editAnnotations({ ...ref, documentUid }, annotationIds, edit, actionUser?.userId);
    return byId(annotationIds.map((id) => [id, resultOf(id, outcome.get(id) as EditOutcome)]));
  },
});
export const handler = lambda(commentannotationsUpdate, forUsers);

const notAuthor = "not-author";

function resultOf(id: string, outcome: EditOutcome): ItemResult {
  if (outcome.state === "missing") return failed(id, "not-found", "The comment annotation does not exist.");
  if (outcome.state === "beyond-limit") return failed(id, "beyond-limit", outcome.problem);
  if (outcome.results.includes(notAuthor))
    return failed(id, notAuthor, "Only the author of a thread may change its metadata.");
  return done(id, outcome.state === "changed" ? "Updated." : "Unchanged.");
}
