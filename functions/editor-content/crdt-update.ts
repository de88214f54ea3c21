import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { addUpdate } from "../../lib/crdt/add-update.ts";
import { hasSubdocument, stored, Update } from "../../lib/crdt/update-fields.ts";
import { invalidField } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { EditorType } from "../../lib/schema/crdt.ts";
import { DocumentId, EditorId, Generation, OrganizationId } from "../../lib/schema/fields.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";

export const crdtUpdate = endpoint({
  name: "crdt-update",
  path: "/v2/crdt/update",
  summary: "Update editor content",
  description: "Add a Yjs update to the content of a collaborative editor. Concurrent updates are all kept.",
  users: "edit",
  grants: ["table:read", "table:write", "queue:merge"],
  events: ["crdt.add", "crdt.update"],
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  data: z
    .object({
      organizationId: OrganizationId,
      documentId: DocumentId,
      editorId: EditorId,
      update: Update,
      type: optional(EditorType.check(z.describe("Adds a missing editor with this type."))),
      contentKey: optional(Id.check(z.describe("The name of the shared type in its Yjs document. Default: content."))),
      generation: optional(
        Id.check(
          z.describe("From crdt/get. The call fails if the editor was deleted since, also if it was added again."),
        ),
      ),
    })
    .check(stored.check),
  example: {
    organizationId: "acme",
    documentId: "plan",
    editorId: "notes",
    update: "AQEBAAQBB2NvbnRlbnQGUGxhbi4gAA==",
    type: "text",
  },
  reply: z.object({ generation: Generation }),
  message: "CRDT data updated.",
  timeoutSeconds: 25,

  async handle({ data, caller: { workspace, user } }) {
    const { organizationId, documentId, editorId, update: _, ...sent } = data;
    const document = { workspace, organizationId, documentId };
    const { documentUid } = await existingDocument(document);
    const ref = { ...document, documentUid, editorId };
    const update = stored.of(data);
    if (user && hasSubdocument(update)) {
      throw invalidField(["update"], "Has a sub-document. Store it as an editor of its own.");
    }
    return { generation: await addUpdate(ref, { ...sent, update }) };
  },
});
export const handler = lambda(crdtUpdate, forUsers);
