import * as z from "zod/mini";
import { updateFolders } from "../../lib/content/update-folders.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, distinctBy, done, failed } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { FolderUpdate } from "../../lib/schema/folder.ts";
import { ItemResult } from "../../lib/schema/item-result.ts";
import { Id, listOf } from "../../lib/schema/primitives.ts";

const refusals = {
  "nothing-to-update": "Give folderName or accessType. A folder cannot be moved.",
  "not-found": "The folder does not exist.",
};

export const foldersUpdate = endpoint({
  name: "folders-update",
  path: "/v2/organizations/folders/update",
  group: "content",
  summary: "Update folders",
  description: "Update the names and access types of folders. Omitted fields keep their values.",
  grants: ["table:read", "table:write"],
  events: ["folder.update"],
  errors: ["NOT_FOUND"],
  data: z.object({ organizationId: Id, folders: listOf(FolderUpdate) }),
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
