// The access type of a folder holds at once for all that is below it.
import { describe, expect, it } from "vitest";
import { commit } from "../../../lib/jobs/commit.ts";
import { folderEntity } from "../../../lib/store/content/folder.ts";
import type { Credentials } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const refOf = (as: Credentials) => ({ workspace: as.apiKey, organizationId });

/** The access type and role of the user on the folders and documents, by id. */
async function accessOf(as: Credentials, userId: string, folderIds: string[], documentIds: string[]) {
  const { folders, documents } = (await f.permissionsOf(as, { userIds: [userId], folderIds, documentIds }))[userId];
  return Object.fromEntries(
    Object.entries({ ...folders, ...documents } as Record<string, { accessType: string; accessRole?: string }>).map(
      ([id, { accessType, accessRole = "denied" }]) => [id, `${accessType} ${accessRole}`],
    ),
  );
}

describe("the access type", () => {
  it("is the folder's own, else that of the nearest folder above that has one, else the document's own", async () => {
    const as = await f.newOrganization();
    await f.addFolders(
      as,
      { folderId: "plain" },
      { folderId: "top", accessType: "restricted" },
      { folderId: "middle", parentFolderId: "top" },
      { folderId: "open", parentFolderId: "middle", accessType: "public" },
      { folderId: "under", parentFolderId: "open" },
    );
    for (const folder of ["plain", "middle", "under"]) await f.addDocuments(as, folder, `in-${folder}`);
    const folders = ["plain", "top", "middle", "open", "under"];
    expect(await accessOf(as, "u", folders, ["in-plain", "in-middle", "in-under"])).toEqual({
      plain: "organizationPrivate denied",
      top: "restricted denied",
      middle: "restricted denied",
      open: "public viewer",
      under: "public viewer",
      "in-plain": "organizationPrivate denied",
      "in-middle": "restricted denied",
      "in-under": "public viewer",
    });
  });

  it("is restricted where a folder above was deleted since", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "top", accessType: "restricted" }, { folderId: "f", parentFolderId: "top" });
    await f.addDocuments(as, "f", "d");
    await commit([folderEntity.delete({ ...refOf(as), folderId: "top" })]);
    await f.give(as, "u", f.onOrganization());
    expect(await accessOf(as, "u", ["f"], ["d"])).toEqual({ f: "restricted denied", d: "restricted denied" });
  });
});
