import { describe, expect, it } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { handler, permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const dataOf = (...resources: unknown[]) => ({ user: { userId: "u" }, permissions: { resources } });

describe("OK", () => {
  it("stores grants on organizations, folders and documents, with editor as the default role", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const resources = [f.onOrganization({ accessRole: "viewer" }), f.onFolder("f"), f.onDocument("d")];
    expect(await must(permissionsAdd, { as, data: dataOf(...resources) })).toEqual({ userId: "u", granted: 3 });
    const asked = { userIds: ["u"], folderIds: ["f"], documentIds: ["d"] };
    expect((await f.permissionsOf(as, asked)).u).toMatchObject({
      folders: { f: { accessRole: "editor" } },
      documents: { d: { accessRole: "editor" } },
      organization: { o: { accessRole: "viewer" } },
    });
  });

  it("counts a repeated resource once and applies its last entry", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    const data = dataOf(f.onDocument("d"), f.onDocument("d", { accessRole: "viewer" }));
    expect(await must(permissionsAdd, { as, data })).toEqual({ userId: "u", granted: 1 });
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "viewer" });
  });

  it("replaces an earlier grant completely: role, expiry and access fields", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onOrganization({ expiresAt: 9e10, context: { access: { team: "red" } } }));
    await f.give(as, "u", f.onOrganization({ accessRole: "viewer" }));
    const { organization, context } = (await f.permissionsOf(as, { userIds: ["u"] })).u;
    expect(organization.o).toEqual({ accessRole: "viewer", accessType: "organizationPrivate" });
    expect(context).toBeUndefined();
  });

  it("stores grants on folders and documents that do not exist yet", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onFolder("f", { accessRole: "viewer" }), f.onDocument("d"));
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const data = await f.permissionsOf(as, { userIds: ["u"], folderIds: ["f"], documentIds: ["d"] });
    expect(data.u.folders.f).toMatchObject({ accessRole: "viewer" });
    expect(data.u.documents.d).toMatchObject({ accessRole: "editor" });
  });

  it("creates no profile", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onOrganization());
    expect((await must(usersGet, { as, data: { organizationId: "o" } })).users).toEqual([]);
  });

  it("accepts an expiresAt in the past, and the grant is not active", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onOrganization({ expiresAt: 0 }));
    expect(await f.onWhole(as, "u")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("accepts 1,000 resources", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", ...Array.from({ length: 1_000 }, (_, index) => f.onDocument(`d${index}`)));
    await f.addDocuments(as, undefined, "d0", "d999");
    const { documents } = (await f.permissionsOf(as, { userIds: ["u"], documentIds: ["d0", "d999"] })).u;
    expect(documents).toMatchObject({ d0: { accessRole: "editor" }, d999: { accessRole: "editor" } });
  });
});

it("drops the fraction of an expiresAt", async () => {
  const as = await f.newOrganization();
  await f.give(as, "u", f.onOrganization({ expiresAt: 9e10 + 0.999 }));
  expect(await f.onWhole(as, "u")).toMatchObject({ expiresAt: 9e10 });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a missing organization, and nothing is granted", async () => {
    const as = await f.newOrganization();
    const reply = await call(permissionsAdd, {
      as,
      data: dataOf(f.onOrganization(), { type: "organization", id: "no" }),
    });
    expect(reply).toMatchObject({ status: 400, error: { status: "INVALID_ARGUMENT" } });
    expect(await f.onWhole(as, "u")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("is the same for another workspace's organization", async () => {
    await f.newOrganization();
    const bob = await newWorkspace();
    await must(organizationsAdd, { as: bob, data: { organizations: [{ organizationId: "mine" }] } });
    const ask = async (id: string) =>
      (await call(permissionsAdd, { as: bob, data: dataOf({ type: "organization", id }) })).error;
    expect(await ask("o")).toEqual(await ask("no"));
  });

  const at = "permissions.resources";
  it.each([
    ["an empty list of resources", dataOf(), [at]],
    ["1,001 resources", dataOf(...Array(1_001).fill(f.onOrganization())), [at]],
    ["a document without its organization", dataOf({ type: "document", id: "d" }), [`${at}.0.organizationId`]],
    ["a folder without its organization", dataOf({ type: "folder", id: "f" }), [`${at}.0.organizationId`]],
    ["an unknown type", dataOf({ type: "location", id: "l", organizationId: "o" }), [`${at}.0.type`]],
    ["an unknown role", dataOf(f.onOrganization({ accessRole: "owner" })), [`${at}.0.accessRole`]],
    ["an expiresAt in milliseconds", dataOf(f.onOrganization({ expiresAt: 1e11 + 1 })), [`${at}.0.expiresAt`]],
    ["an expiresAt before 1970", dataOf(f.onOrganization({ expiresAt: -0.5 })), [`${at}.0.expiresAt`]],
    ["an expiresAt in a text", dataOf(f.onOrganization({ expiresAt: "1.5" })), [`${at}.0.expiresAt`]],
    ["a context without access", dataOf(f.onOrganization({ context: {} })), [`${at}.0.context.access`]],
    [
      "a boolean access field",
      dataOf(f.onOrganization({ context: { access: { a: true } } })),
      [`${at}.0.context.access.a`],
    ],
    ["an empty request", {}, ["user", "permissions"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(permissionsAdd, await newWorkspace(), data)).toEqual(paths);
  });

  it("accepts an expiresAt of 1e11 seconds", async () => {
    await f.give(await f.newOrganization(), "u", f.onOrganization({ expiresAt: 1e11 }));
  });

  it("is returned for access fields that exceed the size of an item", async () => {
    const access = { field: Array.from({ length: 8 }, (_, index) => `${index}`.repeat(60_000)) };
    const paths = await f.issuesOf(
      permissionsAdd,
      await f.newOrganization(),
      dataOf(f.onOrganization({ context: { access } })),
    );
    expect(paths).toEqual([`${at}.0.context.access`]);
  });
});

describe("AWS calls", () => {
  it("reads organization, document and folder once, writes the grants in one transaction, and reads the user again", async () => {
    const aws = mockAws([...f.mocked.rows, f.mocked.document]);
    const resources = [f.onOrganization(), f.onDocument("d"), f.onFolder("f")];
    expect(await f.callSource(handler, permissionsAdd, dataOf(...resources))).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      `BatchGet W#w#O#o ORG, ${f.keyText.user("u")}, ${f.keyText.document("d")}, ${f.keyText.folder("f")}, ${f.keyText.beingErased("u")}`,
      `TransactWrite Update ${f.keyText.user("u")} if {no generation & no accessRole & no expiresAt}, Put W#w#X#x GRANT#u if {generation at most}, Put W#w#O#o#UG#u F#f if {generation at most}, Put W#w#O#o#FG#f u`,
      `BatchGet ${f.keyText.user("u")}, W#w#O#o ORG`,
    ]);
    aws.restore();
  });
});
