import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { endpoint } from "../../lib/endpoint.ts";
import { byId, distinctBy, done, failed } from "../../lib/items.ts";
import { lambda } from "../../lib/lambda.ts";
import { ItemResult } from "../../lib/schema/access.ts";
import { AccessType, Id, listOf, optional, Text } from "../../lib/schema/primitives.ts";
import * as Document from "../../lib/store/document.ts";
import * as Folder from "../../lib/store/folder.ts";
import * as Organization from "../../lib/store/organization.ts";
import * as Table from "../../lib/store/table.ts";

export const documentsAdd = endpoint({
  name: "documents-add",
  path: "/v1/organizations/documents/add",
  group: "content",
  summary: "Add documents to a folder, or to the organization's root.",
  grants: ["table:read", "table:write"],
  events: ["document.add"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: Id,
    folderId: optional(Id),
    documents: listOf(
      z.object(
        { documentId: Id, documentName: optional(Text), accessType: optional(AccessType) },
        "Must be an object.",
      ),
    ),
  }),
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Documents added.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, folderId } = data;
    const requests = distinctBy(data.documents, (document) => document.documentId);
    const ids = requests.map(({ documentId }) => documentId);
    const [folder, uids] = await Promise.all([
      folderId === undefined ? undefined : Folder.get(workspace, organizationId, folderId),
      Document.knownUids(workspace, organizationId, ids),
      Organization.mustExist(workspace, organizationId),
    ]);
    if (folderId !== undefined && !folder) {
      return byId(ids.map((id) => [id, failed(id, "folder-not-found", "The folder does not exist.")]));
    }
    const createdAt = new Date().toISOString();
    const units = requests.map((request) => {
      const uid = uids.get(request.documentId);
      const document = {
        ...request,
        uid: uid ?? randomUUID(),
        ancestors: folder ? [folder.folderId, ...folder.ancestors] : [],
        folderAccessType: folder?.effectiveAccessType,
        createdAt,
      };
      return { document, writes: Document.creation(workspace, organizationId, document, uid !== undefined) };
    });
    const outcome = await Table.commitEach(units, (added) => ({
      events: added.map(({ document: { documentId, documentName } }) => ({
        type: "document.add",
        workspace,
        organizationId,
        documentId,
        data: { documentId, documentName, folderId },
      })),
    }));
    return byId(
      ids.map((id, index) => [
        id,
        outcome[index] ? done(id, "Document added.") : failed(id, "already-exists", "The document already exists."),
      ]),
    );
  },
});
export const handler = lambda(documentsAdd);
