import * as z from "zod/mini";
import { addFolders, levelsMax } from "../../lib/content/add-folders.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { CreateOrganization, OrganizationId } from "../../lib/schema/fields.ts";
import { NewFolder } from "../../lib/schema/folder.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { listOf } from "../../lib/schema/primitives.ts";

const refusals = {
  "already-exists": "The folder already exists.",
  "parent-not-found": "The parent folder does not exist.",
  cycle: "The parent folders form a cycle.",
  "being-deleted": "The folder, or a folder above it, is being deleted.",
  "too-deep": `Folders can be nested at most ${levelsMax} levels deep.`,
};

export const foldersAdd = endpoint({
  name: "folders-add",
  path: "/v2/organizations/folders/add",
  contract: 18,
  summary: "Add folders",
  description: "Add folders to an organization.",
  needs: ["advancedQueries"],
  grants: ["table:read", "table:write"],
  events: ["organization.add", "folder.add"],
  errors: ["FAILED_PRECONDITION"],
  data: z.object({
    organizationId: OrganizationId,
    createOrganization: CreateOrganization,
    folders: listOf(NewFolder).check(z.describe("The folders to add. A parent folder can be in the same list.")),
  }),
  example: {
    organizationId: "acme",
    folders: [
      { folderId: "plans", folderName: "Plans" },
      { folderId: "drafts", folderName: "Drafts", parentFolderId: "plans" },
    ],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Folders added.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, createOrganization } = data;
    const requests = distinctBy(data.folders, (folder) => folder.folderId);
    const refused = await addFolders({ workspace, organizationId }, requests, createOrganization);
    return byId(
      requests.map(({ folderId: id }) => {
        const code = refused.get(id);
        return [id, code ? failed(id, code, refusals[code]) : done(id, "Folder added.")];
      }),
    );
  },
});
export const handler = lambda(foldersAdd);
