import * as z from "zod/mini";
import { deleteDocuments } from "../../lib/content/delete-documents.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";
import * as Document from "../../lib/store/content/document.ts";

export const documentsDelete = endpoint({
  name: "documents-delete",
  path: "/v1/organizations/documents/delete",
  contract: 21,
  summary: "Delete documents",
  description: "Delete documents with all their data.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["document.delete"],
  data: z.object({
    organizationId: OrganizationId,
    documentIds: ids().check(z.describe("The documents to delete. An unknown one is no error.")),
  }),
  example: { organizationId: "acme", documentIds: ["notes"] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Documents deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const organization = { workspace, organizationId };
    const documentIds = distinct(data.documentIds);
    const [documents] = await Promise.all([
      Document.getMany(organization, documentIds),
      requireOrganization(organization),
    ]);
    const existing = documents.filter((document) => document !== undefined);
    const deleted = await deleteDocuments(organization, existing);
    return byId(
      documentIds.map((id) => [id, done(id, deleted.has(id) ? "Document deleted." : "The document does not exist.")]),
    );
  },
});
export const handler = lambda(documentsDelete);
