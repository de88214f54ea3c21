import * as z from "zod/mini";
import { addDocuments } from "../../lib/content/add-documents.ts";
import { type Placement, placements, requireOrganization } from "../../lib/content/existing.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { NewDocument } from "../../lib/schema/document.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { Id, listOf, optional } from "../../lib/schema/primitives.ts";
import { storedAncestors } from "../../lib/store/content/ancestors.ts";
import * as Document from "../../lib/store/content/document.ts";

const refusals = { "folder-not-found": "The folder does not exist.", "being-deleted": "The folder is being deleted." };

export const documentsAdd = endpoint({
  name: "documents-add",
  path: "/v1/organizations/documents/add",
  contract: 20,
  summary: "Add documents",
  description: "Add documents to a folder, or to the organization's root.",
  grants: ["table:read", "table:write"],
  events: ["document.add"],
  data: z.object({
    organizationId: OrganizationId,
    folderId: optional(Id).check(z.describe("The folder of the new documents. Absent: the root of the organization.")),
    documents: listOf(NewDocument).check(z.describe("The documents to add.")),
  }),
  example: {
    organizationId: "acme",
    folderId: "plans",
    documents: [
      { documentId: "plan", documentName: "Launch plan", metadata: { url: "https://acme.example.com/plan" } },
      { documentId: "notes-1", documentName: "Notes" },
    ],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Documents added.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, folderId } = data;
    const organization = { workspace, organizationId };
    const requests = distinctBy(data.documents, (document) => document.documentId);
    const ids = requests.map(({ documentId }) => documentId);
    const [places, pointers] = await Promise.all([
      placements(organization, folderId === undefined ? [] : [folderId]),
      Document.pointers(organization, ids),
      requireOrganization(organization),
    ]);
    const place = folderId === undefined ? [] : (places.get(folderId) as Placement);
    if (typeof place === "string") return byId(ids.map((id) => [id, failed(id, place, refusals[place])]));
    const ancestors = storedAncestors(place);
    const createdAt = new Date().toISOString();
    const documents = requests.map((request) => ({ ...request, ...ancestors, createdAt }));
    const added = await addDocuments(organization, documents, pointers);
    return byId(
      ids.map((id) => [
        id,
        added.has(id) ? done(id, "Document added.") : failed(id, "already-exists", "The document already exists."),
      ]),
    );
  },
});
export const handler = lambda(documentsAdd);
