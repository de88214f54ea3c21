import * as z from "zod/mini";
import { existingDocument } from "../../lib/content/existing-document.ts";
import { removeEditors } from "../../lib/crdt/remove-editors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, done } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, Id, ids } from "../../lib/schema/primitives.ts";

export const crdtDelete = endpoint({
  name: "crdt-delete",
  path: "/v2/crdt/delete",
  group: "collaboration",
  summary: "Delete editors",
  description: "Delete collaborative editors of a document with their content. An unknown editor is no error.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["crdt.delete"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, documentId: Id, editorIds: ids() }),
  example: { organizationId: "acme", documentId: "plan", editorIds: ["notes"] },
  reply: z.record(z.string(), ItemResult),
  message: "Editors deleted.",
  timeoutSeconds: 25,

  async handle({ data, caller: { workspace } }) {
    const { organizationId, documentId } = data;
    const document = { workspace, organizationId, documentId };
    const { documentUid } = await existingDocument(document);
    const editorIds = distinct(data.editorIds);
    const removed = await removeEditors({ ...document, documentUid }, editorIds);
    return byId(editorIds.map((id) => [id, done(id, removed.has(id) ? "Deleted." : "The editor does not exist.")]));
  },
});
export const handler = lambda(crdtDelete);
