import * as z from "zod/mini";
import { existingFolder, requireOrganization } from "../../lib/content/existing.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { ShownDocument } from "../../lib/schema/document.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { distinct, Id, ids, optional } from "../../lib/schema/primitives.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as DocumentMetadata from "../../lib/store/content/document-metadata.ts";

export const documentsGet = endpoint({
  name: "documents-get",
  path: "/v2/organizations/documents/get",
  summary: "List documents",
  description: "List the documents of an organization or directly in one folder: all, or those with the given ids.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    documentIds: optional(ids(100)).check(z.describe("Only these documents. Absent: all.")),
    folderId: optional(Id).check(
      z.describe("Only the documents directly in this folder. Absent: those of all folders."),
    ),
    ...pageRequest,
  }),
  example: { organizationId: "acme", folderId: "plans" },
  reply: z.object({
    documents: z.array(ShownDocument).check(z.describe("The documents of this page.")),
    ...pageReply,
  }),
  message: "Documents retrieved.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { organizationId, documentIds, folderId } = data;
    const organization = { workspace, organizationId };
    const wanted = documentIds && distinct(documentIds);
    const among = wanted ? [folderId === undefined ? "ids" : "ids in"] : [];
    const where = folderId === undefined ? [] : [folderId];
    const list = listing(caller, ["documents", organizationId, ...among, ...where, ...(wanted ?? [])], data, wanted);
    const folder = folderId === undefined ? undefined : await existingFolder({ ...organization, folderId });
    const [page] = await Promise.all([
      wanted
        ? Document.lookUp(organization, { ids: wanted, folderUid: folder?.folderUid }, list.size, list.from)
        : folder
          ? Document.pageIn(folder, list.size, list.from)
          : Document.page(organization, list.size, list.from),
      folder ?? requireOrganization(organization),
    ]);
    const texts = await DocumentMetadata.textsOf(organization, page.items);
    return {
      documents: page.items.map((each) => shownDocument(each, texts.get(each.documentUid))),
      nextPageToken: list.tokenFor(page.next),
    };
  },
});
export const handler = readLambda(documentsGet);

function shownDocument(document: Document.Document, metadata: string | undefined) {
  const shown = { ...document, folderId: document.ancestors[0], ...(metadata && { metadata: JSON.parse(metadata) }) };
  return ShownDocument.parse(shown);
}
