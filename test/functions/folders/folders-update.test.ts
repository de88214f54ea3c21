import { describe, expect, it } from "vitest";
import { foldersGet } from "../../../functions/folders/folders-get.ts";
import { foldersUpdate, handler } from "../../../functions/folders/folders-update.ts";
import { folderEntity } from "../../../lib/store/content/folder.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const update = (as: Credentials, ...folders: object[]) =>
  must(foldersUpdate, { as, data: { organizationId, folders } });
const updated = (id: string) => ({ success: true, id, message: "Folder updated." });
const foldersOf = async (as: Credentials) => (await must(foldersGet, { as, data: { organizationId } })).folders;

describe("OK", () => {
  it("sets the fields that are sent, keeps the others, and removes those that are null", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f", folderName: "F", accessType: "public" });
    const createdAt = expect.any(String);
    expect(await update(as, { folderId: "f", folderName: "G" })).toEqual({ f: updated("f") });
    expect(await foldersOf(as)).toEqual([{ folderId: "f", folderName: "G", accessType: "public", createdAt }]);
    await update(as, { folderId: "f", accessType: "restricted" });
    expect(await foldersOf(as)).toEqual([{ folderId: "f", folderName: "G", accessType: "restricted", createdAt }]);
    await update(as, { folderId: "f", folderName: null, accessType: null });
    expect(await foldersOf(as)).toEqual([{ folderId: "f", createdAt }]);
  });

  it("changes access to all that is below the folder at once", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f", accessType: "public" }, { folderId: "g", parentFolderId: "f" });
    await f.addDocuments(as, "g", "d");
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "viewer" });
    await update(as, { folderId: "f", accessType: "restricted" });
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessType: "restricted", errorCode: "permission_denied" });
    await update(as, { folderId: "f", accessType: null });
    expect(await f.onOne(as, "u", "d")).toMatchObject({ accessType: "organizationPrivate" });
  });

  it("reports missing folders and empty updates per item, and updates 1,000 folders", async () => {
    const as = await f.newOrganization();
    const ids = [...f.oddIds, ...Array.from({ length: 998 - f.oddIds.length }, (_, index) => `f${index}`)];
    await f.addFolders(as, ...ids.map((folderId) => ({ folderId })));
    const changes = ids.map((folderId) => ({ folderId, folderName: folderId }));
    const results = await update(as, ...changes, { folderId: "no", folderName: "N" }, { folderId: "f0" });
    // The first update of a repeated id counts.
    expect(results).toEqual({
      ...Object.fromEntries(ids.map((id) => [id, updated(id)])),
      no: { success: false, id: "no", code: "not-found", message: "The folder does not exist." },
    });
    const empty = {
      success: false,
      id: "f0",
      code: "nothing-to-update",
      message: "Give folderName or accessType. A folder cannot be moved.",
    };
    expect(await update(as, { folderId: "f0" })).toEqual({ f0: empty });
  });

  it("sends one event for each folder that it changed, and none for the others", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" }, { folderId: "g", folderName: "G" });
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["folder.update"] });
    await update(as, { folderId: "f", folderName: "F", accessType: "public" }, { folderId: "g", folderName: "G" });
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events);
    const data = { folderId: "f", folderName: "F", accessType: "public" };
    expect(events).toEqual([{ type: "folder.update", workspace: as.apiKey, organizationId, data }]);
  });

  it("moves no folder: a parent in the request is ignored", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" }, { folderId: "g", parentFolderId: "f" });
    const folders = [{ folderId: "f", folderName: "F", parentFolderId: "g" }];
    await must(foldersUpdate, { as, data: { organizationId, folders } });
    const listed: { folderId: string; parentFolderId?: string }[] = await foldersOf(as);
    const parents = listed.map(({ folderId, parentFolderId }) => [folderId, parentFolderId]);
    expect(Object.fromEntries(parents)).toEqual({ f: undefined, g: "f" });
  });

  it("loses none of the concurrent changes of different fields", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    for (const [folderName, accessType] of [
      ["A", "public"],
      ["B", "restricted"],
      ["C", null],
      ["D", "public"],
    ]) {
      await Promise.all([update(as, { folderId: "f", folderName }), update(as, { folderId: "f", accessType })]);
      expect(await foldersOf(as)).toMatchObject([{ folderName, ...(accessType && { accessType }) }]);
    }
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has, whose folder is unchanged", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    const data = { organizationId, folders: [{ folderId: "f", folderName: "X" }] };
    expect((await call(foldersUpdate, { as: await newWorkspace(), data })).error?.status).toBe("INVALID_ARGUMENT");
    expect((await update(await f.newOrganization(), ...data.folders)).f).toMatchObject({ code: "not-found" });
    expect(await foldersOf(as)).toEqual([{ folderId: "f", createdAt: expect.any(String) }]);
  });

  it("lists every invalid field", async () => {
    const as = await f.newOrganization();
    const invalid = [{ folderId: "f", folderName: 7, accessType: "secret" }, { folderName: "N" }];
    const paths = ["folders.0.folderName", "folders.0.accessType", "folders.1.folderId"];
    expect(await f.issuesOf(foldersUpdate, as, { organizationId, folders: invalid })).toEqual(paths);
    const many = Array.from({ length: 1_001 }, (_, index) => ({ folderId: `f${index}`, folderName: "N" }));
    for (const folders of [[], many, undefined]) {
      expect(await f.issuesOf(foldersUpdate, as, { organizationId, folders })).toEqual(["folders"]);
    }
  });
});

describe("AWS calls", () => {
  it("are two reads and one transaction", async () => {
    const ref = { ...f.mockedOrganization, folderId: "f" };
    const folder = folderEntity.put(ref, { organizationId, folderId: "f", ancestors: [], createdAt: "" }).put;
    const aws = mockAws([...f.mocked.rows, folder]);
    await f.callSource(handler, foldersUpdate, { organizationId, folders: [{ folderId: "f", accessType: "public" }] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `BatchGet ${f.keyText.folder("f")}, W#w#O#o ORG`,
      `TransactWrite Put ${f.keyText.folder("f")} if {no folderUid & createdAt & no rev}`,
    ]);
    aws.restore();
  });
});
