import * as z from "zod/mini";
import { updateDocuments } from "../../lib/content/update-documents.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, distinctBy, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { DocumentUpdate } from "../../lib/schema/document.ts";
import { ItemResult } from "../../lib/schema/item-result.ts";
import { Id, listOf } from "../../lib/schema/primitives.ts";

const refusals = {
  "nothing-to-update": "Give documentName, accessType, folderId or metadata.",
  "not-found": "The document does not exist.",
  "metadata-too-large": "The metadata would have more than 8,192 bytes as JSON.",
  "folder-not-found": "The folder does not exist.",
  "being-deleted": "The folder is being deleted.",
};

export const documentsUpdate = endpoint({
  name: "documents-update",
  path: "/v2/organizations/documents/update",
  group: "content",
  summary: "Update documents",
  description:
    "Update the names, access types and metadata of documents, and move documents between folders. Omitted fields keep their values.",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["document.update"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, documents: listOf(DocumentUpdate) }),
  example: { organizationId: "acme", documents: [{ documentId: "plan", metadata: { status: "draft" } }] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Documents updated.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const updates = distinctBy(data.documents, (document) => document.documentId);
    const refused = await updateDocuments({ workspace, organizationId }, updates);
    return byId(
      updates.map(({ documentId: id }) => {
        const code = refused.get(id);
        return [id, code ? failed(id, code, refusals[code]) : done(id, "Document updated.")];
      }),
    );
  },
});
export const handler = lambda(documentsUpdate);
