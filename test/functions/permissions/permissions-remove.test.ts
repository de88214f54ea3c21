import { describe, expect, it } from "vitest";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { handler, permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const dataOf = (...resources: unknown[]) => ({ user: { userId: "u" }, permissions: { resources } });
const remove = (as: Credentials, ...resources: unknown[]) =>
  must(permissionsRemove, { as, data: dataOf(...resources) });
const denied = { errorCode: "permission_denied" };

describe("OK", () => {
  it("removes exactly the named grants and counts them", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d", "e");
    const asked = { userIds: ["u", "v"], folderIds: ["f"], documentIds: ["d", "e"] };
    const all = [f.onOrganization(), f.onFolder("f"), f.onDocument("d"), f.onDocument("e")];
    for (const userId of ["u", "v"]) await f.give(as, userId, ...all);
    expect(await remove(as, f.onOrganization(), f.onFolder("f"), f.onDocument("d"))).toEqual({
      userId: "u",
      removed: 3,
    });
    const { u, v } = await f.permissionsOf(as, asked);
    expect(u).toMatchObject({
      folders: { f: denied },
      documents: { d: denied, e: { accessRole: "editor" } },
      organization: { o: denied },
    });
    const held = { accessRole: "editor" };
    expect(v).toMatchObject({ folders: { f: held }, documents: { d: held, e: held }, organization: { o: held } });
  });

  it("removes a grant whose document does not exist yet", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onDocument("d"));
    expect(await remove(as, f.onDocument("d"))).toMatchObject({ removed: 1 });
    await f.addDocuments(as, undefined, "d");
    expect(await f.onOne(as, "u", "d")).toMatchObject(denied);
  });

  it("removes isAdmin with the organization's grant", async () => {
    const as = await f.newOrganization();
    await f.giveToken(as, { userProperties: { name: "", email: "", isAdmin: true }, resources: [f.onOrganization()] });
    await remove(as, f.onOrganization());
    await f.give(as, "u", f.onOrganization({ accessRole: "viewer" }));
    expect(await f.onWhole(as, "u")).toMatchObject({ accessRole: "viewer" });
  });

  it("returns 0 in an organization that is being deleted, whose items are still stored", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onOrganization(), f.onFolder("f"));
    await must(organizationsDelete, { as, data: { organizationId: "o" } });
    expect(await remove(as, f.onOrganization(), f.onFolder("f"))).toEqual({ userId: "u", removed: 0 });
  });

  it("returns 0 for grants that do not exist, and for another workspace's", async () => {
    const [alice, bob] = [await f.newOrganization(), await newWorkspace()];
    await f.addDocuments(alice, undefined, "d");
    await f.give(alice, "u", f.onDocument("d"), f.onOrganization());
    const none = { userId: "u", removed: 0 };
    expect(await remove(bob, f.onOrganization(), f.onFolder("f"), f.onDocument("d"))).toEqual(none);
    expect(await remove(alice, f.onFolder("f"), f.onDocument("no"), { type: "organization", id: "no" })).toEqual(none);
    expect(await f.onOne(alice, "u", "d")).toMatchObject({ accessRole: "editor" });
  });

  it("does not count grants that have ended, or that an earlier generation of the user had", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const none = { userId: "u", removed: 0 };
    const resources = (more?: object) => [f.onOrganization(more), f.onFolder("f", more), f.onDocument("d", more)];
    await f.give(as, "u", ...resources({ expiresAt: 1 }));
    expect(await remove(as, ...resources())).toEqual(none);
    await f.give(as, "u", ...resources());
    await must(usersDelete, { as, data: { organizationId: "o", userIds: ["u"] } });
    expect(await remove(as, ...resources())).toEqual(none);
    await f.give(as, "u", ...resources());
    expect(await remove(as, ...resources())).toEqual({ userId: "u", removed: 3 });
  });

  it("counts a repeated resource once", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onFolder("f"));
    expect(await remove(as, f.onFolder("f"), f.onFolder("f"))).toMatchObject({ removed: 1 });
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["an empty list of resources", dataOf(), ["permissions.resources"]],
    ["1,001 resources", dataOf(...Array(1_001).fill(f.onOrganization())), ["permissions.resources"]],
    [
      "a document without its organization",
      dataOf({ type: "document", id: "d" }),
      ["permissions.resources.0.organizationId"],
    ],
    ["an empty request", {}, ["user", "permissions"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(permissionsRemove, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("reads the internal ids and the user, and removes all grants in one transaction", async () => {
    const aws = mockAws([...f.mocked.rows, f.mocked.document]);
    const data = dataOf(f.onOrganization(), f.onDocument("d"), f.onFolder("f"));
    expect(await f.callSource(handler, permissionsRemove, data)).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      `BatchGet ${f.keyText.document("d")}, W#w#O#o ORG, ${f.keyText.folder("f")}, ${f.keyText.user("u")}`,
      `TransactWrite Update ${f.keyText.user("u")} if {any accessRole & expiresAt above}, ` +
        "Delete W#w#X#x GRANT#u if {generation & expiresAt above}, " +
        "Delete W#w#O#o#UG#u F#f if {generation & expiresAt above}, Delete W#w#O#o#FG#f u",
    ]);
    aws.restore();
  });
});
