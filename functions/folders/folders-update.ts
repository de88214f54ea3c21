import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { requireOrganization } from "../../lib/content/existing.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { FolderUpdate } from "../../lib/schema/folder.ts";
import { byId, distinctBy, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { listOf } from "../../lib/schema/primitives.ts";
import { withFields } from "../../lib/schema/with-fields.ts";
import * as Folder from "../../lib/store/content/folder.ts";
import type { OrganizationRef } from "../../lib/store/refs.ts";

const updatable = Object.keys(FolderUpdate.shape).filter((field) => field !== "folderId");

const refusals = {
  "nothing-to-update": `Give ${updatable.join(" or ")}. A folder cannot be moved.`,
  "not-found": "The folder does not exist.",
};

export const foldersUpdate = endpoint({
  name: "folders-update",
  path: "/v2/organizations/folders/update",
  summary: "Update folders",
  description: "Changes fields of folders. Omitted fields keep their values.",
  grants: ["table:read", "table:write"],
  events: ["folder.update"],
  data: z.object({
    organizationId: OrganizationId,
    folders: listOf(FolderUpdate).check(
      z.describe("The changes, one for each folder. Omitted fields keep their values."),
    ),
  }),
  example: { organizationId: "acme", folders: [{ folderId: "plans", accessType: "restricted" }] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Folders updated.",

  async handle({ data, caller: { workspace } }) {
    const { organizationId } = data;
    const updates = distinctBy(data.folders, (folder) => folder.folderId);
    const refused = await updateFolders({ workspace, organizationId }, updates);
    return byId(
      updates.map(({ folderId: id }) => {
        const code = refused.get(id);
        return [id, code ? failed(id, code, refusals[code]) : done(id, "Folder updated.")];
      }),
    );
  },
});
export const handler = lambda(foldersUpdate);

type Refusal = keyof typeof refusals;

/**
 * Updates folders, each named once. The condition of each write is that the folder has not changed since it was read.
 * Otherwise the change is decided again. Returns why some were refused, by id. An update that changes nothing writes
 * nothing.
 */
async function updateFolders(
  organization: OrganizationRef,
  updates: readonly FolderUpdate[],
): Promise<Map<string, Refusal>> {
  const refused = new Map<string, Refusal>();
  let rest = updates;
  return retryOnConflict("folders", async () => {
    const [folders] = await Promise.all([
      Folder.getMany(
        organization,
        rest.map(({ folderId }) => folderId),
      ),
      requireOrganization(organization),
    ]);
    const units = rest.flatMap((update, index) => {
      const { folderId, ...fields } = update;
      const folder = folders[index];
      const isEmpty = Object.values(fields).every((field) => field === undefined);
      if (isEmpty || !folder) refused.set(folderId, isEmpty ? "nothing-to-update" : "not-found");
      if (isEmpty || !folder) return [];
      const changed = withFields(folder, fields);
      if (isDeepStrictEqual(changed, folder)) return [];
      return [{ update, changed, writes: [Folder.change(organization, folder, changed)] }];
    });
    const written = await commitEach(units, (group) => ({
      events: group.map(({ changed: { folderId, folderName, accessType } }) => ({
        type: "folder.update",
        ...organization,
        data: { folderId, folderName, accessType },
      })),
    }));
    rest = units.filter((_, index) => !written[index]).map(({ update }) => update);
    return rest.length === 0 ? refused : conflict;
  });
}
