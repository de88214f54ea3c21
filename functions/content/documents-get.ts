import * as z from "zod/mini";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { AccessType, distinct, Id, ids, optional, PageSize, PageToken } from "../../lib/schema/primitives.ts";
import * as Document from "../../lib/store/document.ts";
import * as Organization from "../../lib/store/organization.ts";

export const documentsGet = endpoint({
  name: "documents-get",
  path: "/v2/organizations/documents/get",
  group: "content",
  summary: "List the documents of an organization, those directly in one folder, or look some up.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: Id,
    documentIds: optional(ids(100)),
    folderId: optional(Id),
    pageSize: optional(PageSize),
    pageToken: optional(PageToken),
  }),
  reply: z.object({
    documents: z.array(
      z.object({
        documentId: z.string(),
        documentName: z.optional(z.string()),
        folderId: z.optional(z.string()),
        accessType: z.optional(AccessType),
        createdAt: z.string(),
      }),
    ),
    nextPageToken: z.nullable(z.string()),
  }),
  message: "Documents retrieved.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { organizationId, documentIds, folderId } = data;
    const existing = Organization.mustExist(workspace, organizationId);
    if (documentIds) {
      const wanted = distinct(documentIds);
      const list = listing(caller, ["documents", organizationId, "ids", ...wanted], data);
      const [page] = await Promise.all([Document.lookUp(workspace, organizationId, wanted, list.from), existing]);
      return { documents: page.items.map(shown), nextPageToken: list.tokenFor(page.next) };
    }
    const list = listing(caller, ["documents", organizationId, ...(folderId ? [folderId] : [])], data);
    const [page] = await Promise.all([
      folderId === undefined
        ? Document.page(workspace, organizationId, list.size, list.from)
        : Document.childrenOf(workspace, organizationId, folderId, list.size, list.from),
      existing,
    ]);
    return { documents: page.items.map(shown), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(documentsGet);

function shown({ documentId, documentName, ancestors, accessType, createdAt }: Document.Document) {
  return { documentId, documentName, folderId: ancestors[0], accessType, createdAt };
}
