import * as z from "zod/mini";
import { levelsMax, planFolders } from "../../lib/content/folder-tree.ts";
import { ensureOrganization } from "../../lib/content/require-organization.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, distinctBy, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { ItemResult } from "../../lib/schema/access.ts";
import { NewFolder } from "../../lib/schema/folder.ts";
import { distinct, Flag, Id, listOf, optional } from "../../lib/schema/primitives.ts";
import * as Folder from "../../lib/store/folder.ts";

const refusals = {
  "already-exists": "The folder already exists.",
  "parent-not-found": "The parent folder does not exist.",
  cycle: "The parent folders form a cycle.",
  "too-deep": `Folders can be nested at most ${levelsMax} levels deep.`,
};

export const foldersAdd = endpoint({
  name: "folders-add",
  path: "/v2/organizations/folders/add",
  group: "content",
  contract: 18,
  summary: "Add folders to an organization.",
  needs: ["advancedQueries"],
  grants: ["table:read", "table:write"],
  events: ["organization.add", "folder.add"],
  errors: ["NOT_FOUND", "FAILED_PRECONDITION"],
  data: z.object({
    organizationId: Id,
    createOrganization: optional(Flag),
    folders: listOf(NewFolder),
  }),
  example: {
    organizationId: "acme",
    createOrganization: true,
    folders: [{ folderId: "plans", folderName: "Plans", accessType: "restricted" }],
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Folders added.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const organization = { workspace, organizationId };
    const requests = distinctBy(data.folders, (folder) => folder.folderId);
    await ensureOrganization(organization, data.createOrganization);
    const named = distinct(requests.flatMap(({ folderId, parentFolderId }) => [folderId, parentFolderId ?? folderId]));
    const found = (await Folder.getMany(organization, named)).filter((folder) => folder !== undefined);
    const existing = new Map(found.map((folder) => [folder.folderId, folder]));
    const { levels, refused } = planFolders(requests, existing, new Date().toISOString());
    // A concurrent call can add a folder of this request first. That folder and its descendants are refused.
    const failures = new Map<string, "already-exists" | "parent-not-found">();
    for (const level of levels) {
      const orphans = level.filter(
        ({ parentFolderId }) => parentFolderId !== undefined && failures.has(parentFolderId),
      );
      for (const { folderId } of orphans) failures.set(folderId, "parent-not-found");
      const units = level
        .filter(({ folderId }) => !failures.has(folderId))
        .map((folder) => ({ folder, writes: Folder.creation(organization, folder) }));
      const outcome = await commitEach(units, (added) => ({
        events: added.map(({ folder: { folderId, folderName, parentFolderId } }) => ({
          type: "folder.add",
          workspace,
          organizationId,
          data: { folderId, folderName, parentFolderId },
        })),
      }));
      for (const [index, { folder }] of units.entries()) {
        if (!outcome[index]) failures.set(folder.folderId, "already-exists");
      }
    }
    return byId(
      requests.map(({ folderId: id }) => {
        const code = refused.get(id) ?? failures.get(id);
        return [id, code ? failed(id, code, refusals[code]) : done(id, "Folder added.")];
      }),
    );
  },
});
export const handler = lambda(foldersAdd);
