import * as z from "zod/mini";
import { existingFolder, requireOrganization } from "../../lib/content/existing.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { ShownFolder } from "../../lib/schema/folder.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";
import * as Folder from "../../lib/store/content/folder.ts";

export const foldersGet = endpoint({
  name: "folders-get",
  path: "/v2/organizations/folders/get",
  summary: "List folders",
  description: "List the folders of an organization or of one folder.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    parentFolderId: optional(Id).check(
      z.describe("Only the folders directly in this one. Absent: all folders of the organization."),
    ),
    ...pageRequest,
  }),
  reply: z.object({
    folders: z.array(ShownFolder).check(z.describe("The folders of this page.")),
    ...pageReply,
  }),
  message: "Folders retrieved.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { organizationId, parentFolderId } = data;
    const organization = { workspace, organizationId };
    const list = listing(caller, ["folders", organizationId, ...(parentFolderId ? [parentFolderId] : [])], data);
    const parent = parentFolderId && (await existingFolder({ ...organization, folderId: parentFolderId }));
    const [page] = await Promise.all([
      parent ? Folder.pageIn(parent, list.size, list.from) : Folder.page(organization, list.size, list.from),
      parent || requireOrganization(organization),
    ]);
    return { folders: page.items.map((folder) => ShownFolder.parse(folder)), nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(foldersGet);
