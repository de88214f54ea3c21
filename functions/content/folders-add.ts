import * as z from "zod/mini";
import { levelsMax, planFolders } from "../../lib/content/folder-tree.ts";
import * as Table from "../../lib/dynamodb/table.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, distinctBy, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { ItemResult } from "../../lib/schema/access.ts";
import { AccessType, distinct, Flag, Id, listOf, optional, Text } from "../../lib/schema/primitives.ts";
import * as Folder from "../../lib/store/folder.ts";
import * as Organization from "../../lib/store/organization.ts";

const refusals = {
  "already-exists": "The folder already exists.",
  "parent-not-found": "The parent folder does not exist.",
  cycle: "The folders name each other as parents in a circle.",
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
    folders: listOf(
      z.object(
        { folderId: Id, folderName: optional(Text), parentFolderId: optional(Id), accessType: optional(AccessType) },
        "Must be an object.",
      ),
    ),
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
    const requests = distinctBy(data.folders, (folder) => folder.folderId);
    await Organization.ensure(workspace, organizationId, data.createOrganization);
    const named = distinct(requests.flatMap(({ folderId, parentFolderId }) => [folderId, parentFolderId ?? folderId]));
    const found = (await Folder.getMany(workspace, organizationId, named)).filter((folder) => folder !== undefined);
    const existing = new Map(found.map((folder) => [folder.folderId, folder]));
    const { levels, refused } = planFolders(requests, existing, new Date().toISOString());
    // A parent that was lost to another call is not this request's: what would hang from it is refused.
    const lost = new Map<string, "already-exists" | "parent-not-found">();
    for (const level of levels) {
      const orphans = level.filter(({ parentFolderId }) => parentFolderId !== undefined && lost.has(parentFolderId));
      for (const { folderId } of orphans) lost.set(folderId, "parent-not-found");
      const units = level
        .filter(({ folderId }) => !lost.has(folderId))
        .map((folder) => ({ folder, writes: Folder.creation(workspace, organizationId, folder) }));
      const outcome = await Table.commitEach(units, (added) => ({
        events: added.map(({ folder: { folderId, folderName, parentFolderId } }) => ({
          type: "folder.add",
          workspace,
          organizationId,
          data: { folderId, folderName, parentFolderId },
        })),
      }));
      for (const [index, { folder }] of units.entries()) {
        if (!outcome[index]) lost.set(folder.folderId, "already-exists");
      }
    }
    return byId(
      requests.map(({ folderId: id }) => {
        const code = refused.get(id) ?? lost.get(id);
        return [id, code ? failed(id, code, refusals[code]) : done(id, "Folder added.")];
      }),
    );
  },
});
export const handler = lambda(foldersAdd);
