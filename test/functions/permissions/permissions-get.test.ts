import { describe, expect, it } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { handler, permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const denied = {
  accessType: "organizationPrivate",
  error: "The user has no access.",
  errorCode: "permission_denied",
};
const askedOf = (more: object = {}) => ({ organizationId: "o", userIds: ["u"], ...more });
const missing = (what: string) => ({ error: `The ${what} does not exist.`, errorCode: "does_not_exist" });

describe("OK", () => {
  it("returns for each user an entry for the organization and every requested resource", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f", accessType: "restricted" });
    await f.addDocuments(as, "f", "in");
    await f.addDocuments(as, undefined, "d");
    await f.give(as, "u", f.onOrganization({ accessRole: "viewer", expiresAt: 9e10 }), f.onFolder("f"));
    const asked = { userIds: ["u"], folderIds: ["f"], documentIds: ["in", "d"] };
    expect(await f.permissionsOf(as, asked)).toEqual({
      u: {
        folders: { f: { accessRole: "editor", accessType: "restricted" } },
        documents: {
          in: { accessRole: "editor", accessType: "restricted" },
          d: { accessRole: "viewer", accessType: "organizationPrivate", expiresAt: 9e10 },
        },
        organization: { o: { accessRole: "viewer", accessType: "organizationPrivate", expiresAt: 9e10 } },
      },
    });
  });

  it("denies unknown users and users with only a profile, in a successful reply", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d", "other");
    await must(usersAdd, { as, data: { organizationId: "o", documentId: "other", users: [{ userId: "profile" }] } });
    const asked = { userIds: ["unknown", "profile"], documentIds: ["d"] };
    const entries = { folders: {}, documents: { d: denied }, organization: { o: denied } };
    expect(await f.permissionsOf(as, asked)).toEqual({ unknown: entries, profile: entries });
  });

  it("returns repeated ids once", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    const data = await f.permissionsOf(as, { userIds: ["u", "u"], documentIds: Array(1_000).fill("d") });
    expect(data).toEqual({ u: { folders: {}, documents: { d: denied }, organization: { o: denied } } });
  });

  it("accepts null for folderIds and documentIds", async () => {
    const as = await f.newOrganization();
    const data = await f.permissionsOf(as, { userIds: ["u"], folderIds: null, documentIds: null });
    expect(data.u).toMatchObject({ folders: {}, documents: {} });
  });

  it("accepts any id as user, folder and document", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, ...f.oddIds.map((folderId) => ({ folderId })));
    await f.addDocuments(as, undefined, ...f.oddIds);
    for (const [index, id] of f.oddIds.entries()) {
      await f.give(as, id, f.onDocument(id, { expiresAt: 9e10 + index }), f.onFolder(id, { accessRole: "viewer" }));
    }
    const asked = { userIds: f.oddIds, folderIds: f.oddIds, documentIds: f.oddIds };
    const entries = Object.entries(await f.permissionsOf(as, asked)) as [string, Record<string, object>][];
    expect(entries.map(([id]) => id).toSorted()).toEqual(f.oddIds.toSorted());
    for (const [userId, { folders, documents }] of entries) {
      const held = (map: object = {}) => Object.entries(map).filter(([, entry]) => "accessRole" in entry);
      const expiresAt = 9e10 + f.oddIds.indexOf(userId);
      const accessType = "organizationPrivate";
      expect(Object.keys(documents ?? {})).toHaveLength(f.oddIds.length);
      expect(held(documents)).toEqual([[userId, { accessRole: "editor", accessType, expiresAt }]]);
      expect(held(folders)).toEqual([[userId, { accessRole: "viewer", accessType }]]);
    }
  });
});

describe("NOT_FOUND", () => {
  it("marks missing resources in details, and resolves the others", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    await f.give(as, "u", f.onDocument("d"));
    const asked = { organizationId: "o", userIds: ["u", "v"], folderIds: ["nof"], documentIds: ["d", "nod"] };
    const reply = await call(permissionsGet, { as, data: asked });
    expect(reply).toMatchObject({ status: 404, error: { status: "NOT_FOUND" } });
    const folders = { nof: missing("folder") };
    const held = { accessRole: "editor", accessType: "organizationPrivate" };
    expect(reply.error?.details).toEqual({
      u: { folders, documents: { d: held, nod: missing("document") }, organization: { o: denied } },
      v: { folders, documents: { d: denied, nod: missing("document") }, organization: { o: denied } },
    });
  });

  it("is returned for resources of a missing organization, also while it is being deleted", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, "f", "d");
    await must(organizationsDelete, { as, data: { organizationId: "o" } });
    const folders = { f: missing("folder") };
    const documents = { d: missing("document") };
    const organization = { o: missing("organization") };
    for (const who of [as, await newWorkspace()]) {
      const { error } = await call(permissionsGet, {
        as: who,
        data: askedOf({ folderIds: ["f"], documentIds: ["d"] }),
      });
      expect(error).toMatchObject({ status: "NOT_FOUND", details: { u: { folders, documents, organization } } });
    }
  });

  it("is the same for ids of another workspace or organization", async () => {
    const [alice, bob] = [await f.newOrganization(), await f.newOrganization()];
    await must(organizationsAdd, { as: alice, data: { organizations: [{ organizationId: "o2" }] } });
    await f.addFolders(alice, { folderId: "f", accessType: "public" });
    await f.addDocuments(alice, "f", "d");
    await f.give(alice, "u", f.onOrganization());
    const ask = async (as: typeof alice, organizationId: string, id: { f: string; d: string }) => {
      const data = { organizationId, userIds: ["u"], folderIds: [id.f], documentIds: [id.d] };
      const { status, error } = await call(permissionsGet, { as, data });
      return { status, error: JSON.stringify(error).replaceAll(`"${id.f}"`, "F").replaceAll(`"${id.d}"`, "D") };
    };
    const nothing = { f: "no-f", d: "no-d" };
    const ids = { f: "f", d: "d" };
    expect(await ask(bob, "o", ids)).toEqual(await ask(bob, "o", nothing));
    expect(await ask(alice, "o2", ids)).toEqual(await ask(alice, "o2", nothing));
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a missing organization, also while it is being deleted", async () => {
    const [bob, as] = [await newWorkspace(), await f.newOrganization()];
    await must(organizationsDelete, { as, data: { organizationId: "o" } });
    for (const who of [bob, as]) expect(await f.issuesOf(permissionsGet, who, askedOf())).toEqual(["organizationId"]);
  });

  it("lists every invalid field", async () => {
    const as = await newWorkspace();
    const data = { organizationId: "", userIds: [], folderIds: "f", documentIds: ["d", "a\u0000"] };
    const paths = ["organizationId", "userIds", "folderIds", "documentIds.1"];
    expect(await f.issuesOf(permissionsGet, as, data)).toEqual(paths);
    expect(await f.issuesOf(permissionsGet, as, {})).toEqual(["organizationId", "userIds"]);
  });

  it.each(["userIds", "folderIds", "documentIds"])("is returned for more than 1,000 %s", async (field) => {
    const as = await newWorkspace();
    const data = { organizationId: "o", userIds: ["u"], [field]: Array(1_001).fill("x") };
    expect(await f.issuesOf(permissionsGet, as, data)).toEqual([field]);
  });

  it("is returned for more than 10,000 pairs of user and resource, and not for 10,000", async () => {
    const as = await f.newOrganization();
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `i${index}`);
    const most = { organizationId: "o", userIds: ids(20), folderIds: ids(250), documentIds: ids(250) };
    expect((await call(permissionsGet, { as, data: most })).status).toBe(404);
    expect(await f.issuesOf(permissionsGet, as, { ...most, documentIds: ids(251) })).toEqual(["userIds"]);
  });
});

describe("AWS calls", () => {
  it("reads credentials with settings, then the organization, users and documents, then the folders above and the grants", async () => {
    const aws = mockAws([...f.mocked.rows, f.mockedDocument("d", { ancestors: ["f"] })]);
    const data = { organizationId: "o", userIds: ["u"], documentIds: ["d"] };
    expect(await f.callSource(handler, permissionsGet, data)).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#access, W#w SETTING#permissionProvider`,
      `BatchGet W#w#O#o ORG, ${f.keyText.user("u")}, ${f.keyText.document("d")}`,
      `BatchGet ${f.keyText.folder("f")}, W#w#O#o ORG, W#w#X#x GRANT#u, W#w#O#o#UG#u F#f`,
    ]);
    aws.restore();
  });
});
