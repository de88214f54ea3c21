import * as z from "zod/mini";
import { endpoint } from "../../lib/endpoint.ts";
import { byId, done } from "../../lib/items.ts";
import { lambda } from "../../lib/lambda.ts";
import { purgeJob } from "../../lib/purge.ts";
import { ItemResult } from "../../lib/schema/access.ts";
import { distinct, Id, ids } from "../../lib/schema/primitives.ts";
import * as Document from "../../lib/store/document.ts";
import { keys } from "../../lib/store/keys.ts";
import * as Organization from "../../lib/store/organization.ts";
import * as Table from "../../lib/store/table.ts";

export const documentsDelete = endpoint({
  name: "documents-delete",
  path: "/v1/organizations/documents/delete",
  group: "content",
  contract: 21,
  summary: "Delete documents with all that belongs to them.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  events: ["document.delete"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, documentIds: ids() }),
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Documents deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const documentIds = distinct(data.documentIds);
    const [documents] = await Promise.all([
      Document.getMany(workspace, organizationId, documentIds),
      Organization.mustExist(workspace, organizationId),
    ]);
    const units = documents
      .filter((document) => document !== undefined)
      .map((document) => ({ document, writes: Document.removal(workspace, organizationId, document) }));
    const outcome = await Table.commitEach(units, (deleted) => ({
      jobs: [
        purgeJob(
          workspace,
          deleted.map(({ document }) => keys.documentData(workspace, document.uid)),
        ),
      ],
      events: deleted.map(({ document: { documentId } }) => ({
        type: "document.delete",
        workspace,
        organizationId,
        documentId,
        data: { documentId },
      })),
    }));
    const deleted = new Set(units.flatMap(({ document }, index) => (outcome[index] ? [document.documentId] : [])));
    return byId(
      documentIds.map((id) => [id, done(id, deleted.has(id) ? "Document deleted." : "The document does not exist.")]),
    );
  },
});
export const handler = lambda(documentsDelete);
