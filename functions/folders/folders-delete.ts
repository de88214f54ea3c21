import * as z from "zod/mini";
import { type DeletionResult, deleteFolders } from "../../lib/content/delete-folders.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { byId, done, failed, resultWith } from "../../lib/schema/item-result.ts";
import { distinct, Flag, ids, optional } from "../../lib/schema/primitives.ts";

export const foldersDelete = endpoint({
  name: "folders-delete",
  path: "/v2/organizations/folders/delete",
  summary: "Delete folders",
  description:
    "Delete folders in the background: empty ones, or with `recursive` also the folders and documents in them.",
  grants: ["table:read", "table:write", "queue:purge"],
  data: z.object({
    organizationId: OrganizationId,
    folderIds: ids().check(z.describe("The folders to delete.")),
    recursive: optional(Flag).check(z.describe("Also deletes everything in the folders, with all its data.")),
  }),
  example: { organizationId: "acme", folderIds: ["drafts"], recursive: true },
  reply: z.record(
    z.string(),
    resultWith(
      {
        id: z.string().check(z.describe("The id of the folder, as in the request.")),
        jobId: z.optional(z.string()).check(z.describe("The job that deletes the folder. jobs/status shows it.")),
      },
      {},
    ),
  ),
  timeoutSeconds: 25,
  message: "The folders are being deleted.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId, recursive = false } = data;
    const folderIds = distinct(data.folderIds);
    const results = await deleteFolders({ workspace, organizationId }, folderIds, recursive);
    return byId(folderIds.map((id) => [id, resultOf(id, results.get(id) as DeletionResult)]));
  },
});
export const handler = lambda(foldersDelete);

function resultOf(id: string, { outcome, jobId }: DeletionResult) {
  switch (outcome) {
    case "begun":
      return { ...done(id, "The folder is being deleted."), jobId };
    case "being-deleted":
      return { ...failed(id, outcome, "The folder is being deleted already."), jobId };
    case "not-empty":
      return failed(id, outcome, "The folder is not empty. With recursive: true, it is deleted with what is in it.");
    case "missing":
      return done(id, "The folder does not exist.");
  }
}
