import * as z from "zod/mini";
import { existingDocument } from "../../lib/content/existing-document.ts";
import { deleteFeatures } from "../../lib/features/delete-features.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, done } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { Kind } from "../../lib/schema/features.ts";
import { ItemResult } from "../../lib/schema/item-result.ts";
import { ActionUser } from "../../lib/schema/person.ts";
import { distinct, Id, ids, optional } from "../../lib/schema/primitives.ts";

export const documentsDataDelete = endpoint({
  name: "documents-data-delete",
  path: "/v2/organizations/documents/data/delete",
  group: "content",
  summary: "Delete comments, reactions or recordings",
  description: "Delete comments, reactions or recordings of a document. An unknown id is no error.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["comment_annotation.delete", "reaction.delete", "recorder.delete"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, documentId: Id, kind: Kind, ids: ids(), actionUser: optional(ActionUser) }),
  example: {
    organizationId: "acme",
    documentId: "plan",
    kind: "reactions",
    ids: ["reaction-1"],
    actionUser: { userId: "alice" },
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Feature data deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId, kind, actionUser } = data;
    const wanted = distinct(data.ids);
    const ref = { workspace, organizationId, documentId };
    const { documentUid } = await existingDocument(ref);
    const deleted = await deleteFeatures({ ...ref, documentUid }, kind, wanted, actionUser?.userId);
    return byId(wanted.map((id) => [id, done(id, deleted.has(id) ? "Deleted." : "The item does not exist.")]));
  },
});
export const handler = lambda(documentsDataDelete);
