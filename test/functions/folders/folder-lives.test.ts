// A folder that is deleted and added again under the same id is another folder.
import { describe, expect, it } from "vitest";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { foldersGet } from "../../../functions/folders/folders-get.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { purge } from "../../../functions/workers/purge.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { folderGrantEntity, folderGranteeEntity } from "../../../lib/store/access/grant.ts";
import * as Folder from "../../../lib/store/content/folder.ts";
import { type Credentials, must } from "../../support/call.ts";
import { deliver, storeJob } from "../../support/run-worker.ts";
import {
  addDocuments,
  addFolders,
  give,
  giveToken,
  newOrganization,
  oddIds,
  onFolder,
  onOne,
  organizationId,
  permissionsOf,
} from "../../support/workspace.ts";

const refOf = (as: Credentials) => ({ workspace: as.apiKey, organizationId });

async function deleteFolder(as: Credentials, folderId: string): Promise<void> {
  const folder = await Folder.get({ ...refOf(as), folderId });
  expect(await commit(Folder.removal(refOf(as), folder as Folder.Folder))).toBe(true);
}

async function onFolderOf(as: Credentials, userId: string, folderId: string) {
  return (await permissionsOf(as, { userIds: [userId], folderIds: [folderId] }))[userId].folders[folderId];
}

describe("a folder that is added again", () => {
  it.each(oddIds)("starts without the children and grants of the deleted one, for the id %s", async (folderId) => {
    const as = await newOrganization();
    await addFolders(as, { folderId });
    await addDocuments(as, folderId, "d");
    await give(as, "u", onFolder(folderId));
    await deleteFolder(as, folderId);
    await addFolders(as, { folderId });
    await addDocuments(as, folderId, "e");
    expect(await onFolderOf(as, "u", folderId)).toMatchObject({ errorCode: "permission_denied" });
    expect(await onOne(as, "u", "e")).toMatchObject({ errorCode: "permission_denied" });
    const { documents } = await must(documentsGet, { as, data: { organizationId, folderId } });
    expect(documents.map(({ documentId }: { documentId: string }) => documentId)).toEqual(["e"]);
    const { users } = await must(usersGet, { as, data: { organizationId, folderId } });
    expect(users).toEqual([]);
  });

  it("gets the grants that were given after the deletion and before it was added", async () => {
    const as = await newOrganization();
    await addFolders(as, { folderId: "f" });
    await deleteFolder(as, "f");
    await give(as, "u", onFolder("f", { accessRole: "viewer" }));
    await giveToken(as, { userId: "v", resources: [onFolder("f")] });
    await addFolders(as, { folderId: "f" }, { folderId: "g", parentFolderId: "f" });
    await addDocuments(as, "g", "d");
    for (const [userId, accessRole] of [
      ["u", "viewer"],
      ["v", "editor"],
    ] as const) {
      expect(await onFolderOf(as, userId, "f")).toMatchObject({ accessRole });
      expect(await onOne(as, userId, "d")).toMatchObject({ accessRole });
    }
  });

  it("has grants of its own that can be listed, changed and removed", async () => {
    const as = await newOrganization();
    await addFolders(as, { folderId: "f" });
    await deleteFolder(as, "f");
    await addFolders(as, { folderId: "f" });
    await giveToken(as, { userId: "u", resources: [onFolder("f")] });
    const data = { organizationId, folderId: "f" };
    await must(usersUpdate, { as, data: { ...data, users: [{ userId: "u", accessRole: "viewer" }] } });
    const { users } = await must(usersGet, { as, data });
    expect(users).toMatchObject([{ userId: "u", accessRole: "viewer" }]);
    const removed = await must(usersDelete, { as, data: { ...data, userIds: ["u"] } });
    expect(removed.u.message).toBe("User removed from the folder.");
    expect(await onFolderOf(as, "u", "f")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("is in no list while it is deleted", async () => {
    const as = await newOrganization();
    await addFolders(as, { folderId: "f" }, { folderId: "g", parentFolderId: "f" });
    await deleteFolder(as, "g");
    for (const data of [{ organizationId }, { organizationId, parentFolderId: "f" }]) {
      const { folders } = await must(foldersGet, { as, data });
      expect(folders.map(({ folderId }: { folderId: string }) => folderId)).not.toContain("g");
    }
  });
});

it("the purge deletes all grants on a deleted folder, and no others", async () => {
  const as = await newOrganization();
  await addFolders(as, { folderId: "f" });
  for (const userId of ["u#1", "v"]) await give(as, userId, onFolder("f"));
  await give(as, "u#1", onFolder("other"));
  const folder = await Folder.get({ ...refOf(as), folderId: "f" });
  const data = Folder.dataOf(refOf(as), folder as Folder.Folder);
  const { workspace, ...deleted } = data;
  await deleteFolder(as, "f");
  const grantsOf = async (userId: string) => Table.first(folderGrantEntity.range({ ...data, userId }), 10);
  expect(await grantsOf("u#1")).toHaveLength(2);
  const id = await storeJob("purge", workspace, { folders: [{ ...deleted, folderId: "f" }] });
  expect(await deliver(purge, [id])).toEqual([]);
  expect(await grantsOf("u#1")).toEqual([expect.objectContaining({ folderUid: "other" })]);
  expect(await grantsOf("v")).toEqual([]);
  expect(await Table.first(folderGranteeEntity.range(data), 10)).toEqual([]);
});
