// The endpoint applies the rules DECISIONS.md#grants and DECISIONS.md#access-resolution, and compares fields of access.
import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { must } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

afterEach(() => void vi.useRealTimers());
const at = (seconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: seconds * 1_000 });
const denied = expect.objectContaining({ errorCode: "permission_denied" });

describe("which grant decides", () => {
  it("the document's, then the nearest folder's, then the organization's", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "top" }, { folderId: "low", parentFolderId: "top" });
    await f.addDocuments(as, "low", "d");
    const expiryOfDecisive = async () => (await f.onOne(as, "u", "d")).expiresAt;
    await f.give(as, "u", f.onOrganization({ expiresAt: 9e10 }));
    expect(await expiryOfDecisive()).toBe(9e10);
    await f.give(as, "u", f.onFolder("top", { expiresAt: 9e10 + 1 }));
    expect(await expiryOfDecisive()).toBe(9e10 + 1);
    await f.give(as, "u", f.onFolder("low", { expiresAt: 9e10 + 2 }));
    expect(await expiryOfDecisive()).toBe(9e10 + 2);
    await f.give(as, "u", f.onDocument("d", { expiresAt: 9e10 + 3 }));
    expect(await expiryOfDecisive()).toBe(9e10 + 3);
  });

  it("a nearer viewer grant replaces a farther editor grant", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    await f.give(as, "u", f.onOrganization(), f.onDocument("d", { accessRole: "viewer" }));
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "viewer" });
  });

  it("a folder's own grant decides, then its ancestors', and never a sibling's or a descendant's", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "top" }, { folderId: "low", parentFolderId: "top" }, { folderId: "sibling" });
    await f.give(as, "u", f.onFolder("top", { accessRole: "viewer" }));
    await f.give(as, "v", f.onFolder("sibling"), f.onFolder("low"));
    const data = await f.permissionsOf(as, { userIds: ["u", "v"], folderIds: ["low", "top", "sibling"] });
    expect(data.u.folders).toMatchObject({ low: { accessRole: "viewer" }, top: { accessRole: "viewer" } });
    expect(data.u.folders.sibling).toEqual(denied);
    expect(data.v.folders).toMatchObject({ low: { accessRole: "editor" }, sibling: { accessRole: "editor" } });
    expect(data.v.folders.top).toEqual(denied);
  });

  it("isAdmin makes the user an editor of all resources in that organization only, also restricted ones", async () => {
    const as = await f.newOrganization();
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "o2" }] } });
    const documents = [{ documentId: "d", accessType: "restricted" }];
    for (const organizationId of ["o", "o2"]) await must(documentsAdd, { as, data: { organizationId, documents } });
    const users = [{ userId: "admin", isAdmin: true, accessRole: "viewer" }];
    await must(usersAdd, { as, data: { organizationId: "o", users } });
    await f.give(as, "admin", f.onDocument("d", { accessRole: "viewer" }), { type: "organization", id: "o2" });
    expect(await f.onOne(as, "admin", "d")).toMatchObject({ accessRole: "editor" });
    expect(await f.onWhole(as, "admin")).toMatchObject({ accessRole: "editor" });
    const other = await f.permissionsOf(as, { organizationId: "o2", userIds: ["admin"], documentIds: ["d"] });
    expect(other.admin.documents.d).toEqual(denied);
  });
});

describe("which access type applies", () => {
  it("the nearest folder's that has one, else the document's own, else the workspace's default", async () => {
    const as = await f.newOrganization();
    await f.addFolders(
      as,
      { folderId: "top", accessType: "restricted" },
      { folderId: "low", parentFolderId: "top" },
      { folderId: "public", parentFolderId: "low", accessType: "public" },
      { folderId: "plain" },
    );
    const add = (folderId: string | undefined, documentId: string, accessType?: string) =>
      must(documentsAdd, { as, data: { organizationId: "o", folderId, documents: [{ documentId, accessType }] } });
    await add("low", "inherits", "public");
    await add("public", "nearest", "restricted");
    await add("plain", "own", "public");
    await add(undefined, "default");
    const asked = {
      userIds: ["u"],
      documentIds: ["inherits", "nearest", "own", "default"],
      folderIds: ["low", "plain"],
    };
    const typesNow = async () => {
      const { documents, folders } = (await f.permissionsOf(as, asked)).u;
      return [...asked.documentIds.map((id) => documents[id]), ...asked.folderIds.map((id) => folders[id])].map(
        ({ accessType }) => accessType,
      );
    };
    const fixed = ["restricted", "public", "public"];
    expect(await typesNow()).toEqual([...fixed, "organizationPrivate", "restricted", "organizationPrivate"]);
    await Setting.update({ workspace: as.apiKey }, "access", { defaultAccessType: "public" });
    expect(await typesNow()).toEqual([...fixed, "public", "restricted", "public"]);
  });

  it("public makes everybody a viewer, and members keep their role", async () => {
    const as = await f.newOrganization();
    await must(documentsAdd, {
      as,
      data: { organizationId: "o", documents: [{ documentId: "d", accessType: "public" }] },
    });
    await f.give(as, "member", f.onOrganization());
    expect(await f.onOne(as, "anyone", "d")).toEqual({ accessRole: "viewer", accessType: "public" });
    expect(await f.onOne(as, "member", "d")).toEqual({ accessRole: "editor", accessType: "public" });
  });
});

describe("when a grant ends", () => {
  const endings = ["organization", "folder", "document"] as const;
  it.each(endings)("a grant on the %s is active before expiresAt, and inactive from then on", async (type) => {
    at(1_000_000);
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, "f", "d");
    const resource = {
      organization: f.onOrganization,
      folder: () => f.onFolder("f"),
      document: () => f.onDocument("d"),
    };
    await f.give(as, "u", { ...resource[type](), expiresAt: 1_000_010 });
    at(1_000_009.999);
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "editor", expiresAt: 1_000_010 });
    at(1_000_010);
    expect(await f.onOne(as, "u", "d")).toEqual(denied);
  });

  it("the next level decides", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    await f.give(as, "u", f.onOrganization(), f.onDocument("d", { accessRole: "viewer", expiresAt: 1 }));
    expect(await f.onOne(as, "u", "d")).toEqual({ accessRole: "editor", accessType: "organizationPrivate" });
  });

  it("admin rights end with their grant", async () => {
    at(1_000_000);
    const as = await f.newOrganization();
    const users = [{ userId: "u", isAdmin: true, expiresAt: 1_000_010 }];
    await must(usersAdd, { as, data: { organizationId: "o", users } });
    expect(await f.onWhole(as, "u")).toMatchObject({ accessRole: "editor", expiresAt: 1_000_010 });
    at(1_000_010);
    expect(await f.onWhole(as, "u")).toEqual(denied);
  });

  it("deleting the document ends the grant, also for a new document with the same id", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    await f.give(as, "u", f.onDocument("d"));
    await must(documentsDelete, { as, data: { organizationId: "o", documentIds: ["d"] } });
    await f.addDocuments(as, undefined, "d");
    expect(await f.onOne(as, "u", "d")).toEqual(denied);
    await f.give(as, "u", f.onDocument("d"));
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "editor" });
  });
});

describe("context.accessFields", () => {
  it("returns each field of the active grants on the requested resources once", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, "f", "d", "not-requested");
    const context = (access: object) => ({ context: { access } });
    await f.give(
      as,
      "u",
      f.onOrganization(context({ team: "red" })),
      f.onFolder("f", context({ team: ["red", "blue"] })),
      f.onDocument("d", { ...context({ level: 3 }) }),
      f.onDocument("not-requested", context({ level: 9 })),
    );
    await f.give(as, "v", f.onDocument("d", { ...context({ level: 4 }), expiresAt: 1 }));
    const data = await f.permissionsOf(as, { userIds: ["u", "v"], documentIds: ["d"] });
    expect(data.u.context.accessFields.toSorted()).toEqual(["level:3", "team:blue", "team:red"]);
    expect(data.v).not.toHaveProperty("context");
  });

  it("accepts any field name", async () => {
    const as = await f.newOrganization();
    const access = { constructor: "y", "a:b": "c", "1": 2 };
    await f.give(as, "u", f.onOrganization({ context: { access } }));
    const { context } = (await f.permissionsOf(as, { userIds: ["u"] })).u;
    expect(context.accessFields.toSorted()).toEqual(["1:2", "a:b:c", "constructor:y"]);
  });
});
