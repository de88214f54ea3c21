// The access type of a folder holds at once for all that is below it, and items of earlier releases keep working.
import { describe, expect, it } from "vitest";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Document from "../../../lib/store/document.ts";
import { documentEntity } from "../../../lib/store/document.ts";
import { folderEntity } from "../../../lib/store/folder.ts";
import { childEntity } from "../../../lib/store/folder-child.ts";
import { folderGranteeEntity } from "../../../lib/store/folder-grantee.ts";
import { folderGrantEntity } from "../../../lib/store/grant.ts";
import { type DocumentUid, firstFolderUid } from "../../../lib/store/refs.ts";
import * as User from "../../../lib/store/user.ts";
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

describe("items of an earlier release", () => {
  const [createdAt, documentUid] = ["2026-01-01T00:00:00.000Z", "x" as DocumentUid];

  /** A folder with odd characters below another one, with a document and a grant, as they were stored. */
  async function former() {
    const as = await f.newOrganization();
    const ref = refOf(as);
    const folderId = "a#/%";
    const folderUid = firstFolderUid(folderId);
    const top = { organizationId, folderId: "top", ancestors: [], createdAt };
    const folder = { organizationId, folderId, parentFolderId: "top", ancestors: ["top"], createdAt };
    const document = { organizationId, documentId: "d", documentUid, ancestors: [folderId, "top"], createdAt };
    const grant = { userId: "u", generation: 0, accessRole: "viewer", organizationId, folderId } as const;
    const putOf = <P extends { put: object }>(write: P, more: object): P => ({
      ...write,
      put: { ...write.put, ...more },
    });
    await commit([
      putOf(folderEntity.put({ ...ref, folderId: "top" }, top), {
        accessType: "public",
        effectiveAccessType: "public",
      }),
      putOf(folderEntity.put({ ...ref, folderId }, folder), { effectiveAccessType: "public" }),
      putOf(documentEntity.put({ ...ref, documentId: "d" }, document), { folderAccessType: "public" }),
      childEntity.put({ ...ref, folderUid, kind: "document", childId: "d" }, { kind: "document", childId: "d" }),
      folderGrantEntity.put({ ...ref, userId: "u", folderUid }, grant),
      folderGranteeEntity.put({ ...ref, userId: "u", folderUid }, { userId: "u" }),
      User.beginGuest({ ...ref, userId: "u" }, undefined),
    ]);
    return { as, ref, folderId, top };
  }

  it("have the access type that the folders have now, and their grants", async () => {
    const { as, ref, folderId, top } = await former();
    expect(await accessOf(as, "v", [folderId], ["d"])).toEqual({ [folderId]: "public viewer", d: "public viewer" });
    await commit([folderEntity.put({ ...ref, folderId: "top" }, { ...top, accessType: "restricted" })]);
    expect(await accessOf(as, "v", [folderId], ["d"])).toEqual({
      [folderId]: "restricted denied",
      d: "restricted denied",
    });
    expect(await accessOf(as, "u", [folderId], ["d"])).toEqual({
      [folderId]: "restricted viewer",
      d: "restricted viewer",
    });
  });

  it("are found in their folder, and can be deleted", async () => {
    const { ref, folderId } = await former();
    const folder = { ...ref, folderUid: firstFolderUid(folderId) };
    const [document] = (await Document.pageIn(folder, 10)).items;
    expect(document).toMatchObject({ documentId: "d" });
    expect(await commit(Document.removal(ref, document as Document.Document))).toBe(true);
    expect((await Document.pageIn(folder, 10)).items).toEqual([]);
  });
});
