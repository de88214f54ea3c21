import * as z from "zod/mini";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { AccessType, Id, optional, PageSize, PageToken } from "../../lib/schema/primitives.ts";
import * as Folder from "../../lib/store/folder.ts";
import * as Organization from "../../lib/store/organization.ts";

export const foldersGet = endpoint({
  name: "folders-get",
  path: "/v2/organizations/folders/get",
  group: "content",
  summary: "List the folders of an organization, or those directly in one folder.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: Id,
    parentFolderId: optional(Id),
    pageSize: optional(PageSize),
    pageToken: optional(PageToken),
  }),
  reply: z.object({
    folders: z.array(
      z.object({
        folderId: z.string(),
        folderName: z.optional(z.string()),
        parentFolderId: z.optional(z.string()),
        accessType: z.optional(AccessType),
        createdAt: z.string(),
      }),
    ),
    nextPageToken: z.nullable(z.string()),
  }),
  message: "Folders retrieved.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { organizationId, parentFolderId } = data;
    const list = listing(caller, ["folders", organizationId, ...(parentFolderId ? [parentFolderId] : [])], data);
    const [page] = await Promise.all([
      parentFolderId === undefined
        ? Folder.page(workspace, organizationId, list.size, list.from)
        : Folder.childrenOf(workspace, organizationId, parentFolderId, list.size, list.from),
      Organization.mustExist(workspace, organizationId),
    ]);
    return { folders: page.items.map(shown), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(foldersGet);

function shown({ folderId, folderName, parentFolderId, accessType, createdAt }: Folder.Folder) {
  return { folderId, folderName, parentFolderId, accessType, createdAt };
}
