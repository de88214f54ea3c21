import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { foldersAdd, handler } from "../../../functions/folders/folders-add.ts";
import { foldersGet } from "../../../functions/folders/folders-get.ts";
import { folderEntity } from "../../../lib/store/content/folder.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import fc from "../../support/property.ts";
import {
  addDocuments,
  callSource,
  give,
  mocked,
  mockedOrganization,
  newOrganization,
  oddIds,
  onOne,
  onOrganization,
  organizationId,
} from "../../support/workspace.ts";

type Results = Record<string, { success: boolean; code?: string; message: string }>;

const add = (as: Credentials, ...folders: object[]): Promise<Results> =>
  must(foldersAdd, { as, data: { organizationId, folders } });

/** `f0` at the root, `f1` in `f0`, and so on. */
const chain = (length: number) =>
  Array.from({ length }, (_, level) => ({
    folderId: `f${level}`,
    ...(level > 0 && { parentFolderId: `f${level - 1}` }),
  }));

const codes = (results: Results) =>
  Object.fromEntries(Object.entries(results).map(([id, { success, code }]) => [id, success ? "added" : code]));

describe("OK", () => {
  it("adds folders whose parents are in the same call, in any order", async () => {
    const as = await newOrganization();
    const shuffled = fc.sample(fc.shuffledSubarray(chain(12), { minLength: 12 }), 1)[0] ?? [];
    expect(new Set(Object.values(codes(await add(as, ...shuffled))))).toEqual(new Set(["added"]));
    const { folders } = await must(foldersGet, { as, data: { organizationId } });
    expect(
      new Map(folders.map((each: { folderId: string; parentFolderId?: string }) => [each.folderId, each])),
    ).toEqual(new Map(chain(12).map((each) => [each.folderId, { ...each, createdAt: expect.any(String) }])));
  });

  it("accepts any id for a folder and for its parent", async () => {
    const as = await newOrganization();
    await add(as, ...oddIds.map((folderId) => ({ folderId, folderName: folderId })));
    const below = oddIds.map((parentFolderId, index) => ({ folderId: `below ${index}`, parentFolderId }));
    expect(new Set(Object.values(codes(await add(as, ...below))))).toEqual(new Set(["added"]));
    for (const { folderId, parentFolderId } of below) {
      const { folders } = await must(foldersGet, { as, data: { organizationId, parentFolderId } });
      expect(folders).toEqual([{ folderId, parentFolderId, createdAt: expect.any(String) }]);
    }
  });

  it("refuses a cycle and its descendants per item, and adds the others", async () => {
    const results = await add(
      await newOrganization(),
      { folderId: "a", parentFolderId: "b" },
      { folderId: "b", parentFolderId: "c" },
      { folderId: "c", parentFolderId: "a" },
      { folderId: "self", parentFolderId: "self" },
      { folderId: "below", parentFolderId: "a" },
      { folderId: "good" },
    );
    expect(codes(results)).toEqual({
      a: "cycle",
      b: "cycle",
      c: "cycle",
      self: "cycle",
      below: "cycle",
      good: "added",
    });
  });

  it("accepts 32 levels and refuses the 33rd, in one call or in two", async () => {
    const as = await newOrganization();
    expect(codes(await add(as, ...chain(33)))).toMatchObject({ f31: "added", f32: "too-deep" });
    expect(codes(await add(as, { folderId: "later", parentFolderId: "f31" }))).toEqual({ later: "too-deep" });
    expect(codes(await add(as, { folderId: "beside", parentFolderId: "f30" }))).toEqual({ beside: "added" });
  });

  it("reports a missing or refused parent per item", async () => {
    const orphans = [
      { folderId: "orphan", parentFolderId: "nowhere" },
      { folderId: "child", parentFolderId: "orphan" },
    ];
    const as = await newOrganization();
    expect(codes(await add(as, ...orphans, { folderId: "good" }))).toEqual({
      orphan: "parent-not-found",
      child: "parent-not-found",
      good: "added",
    });
    expect((await must(foldersGet, { as, data: { organizationId } })).folders).toHaveLength(1);
  });

  it("says in its message that some folders were refused", async () => {
    const folders = [{ folderId: "good" }, { folderId: "orphan", parentFolderId: "nowhere" }];
    const reply = await call(foldersAdd, { as: await newOrganization(), data: { organizationId, folders } });
    const message = "Folders added. 1 of 2 items failed, and says why.";
    expect(reply.body.result).toMatchObject({ message });
  });

  it("does not change an existing folder, and adds its new children", async () => {
    const as = await newOrganization();
    await add(as, { folderId: "f", folderName: "first", accessType: "public" });
    const again = { folderId: "f", folderName: "second", accessType: "restricted" };
    expect(codes(await add(as, again, { folderId: "g", parentFolderId: "f" }))).toEqual({
      f: "already-exists",
      g: "added",
    });
    const { folders } = await must(foldersGet, { as, data: { organizationId } });
    expect(folders).toContainEqual(expect.objectContaining({ folderName: "first", accessType: "public" }));
  });

  it("applies the first entry of a repeated id", async () => {
    const as = await newOrganization();
    await add(as, { folderId: "f", folderName: "first" }, { folderId: "f", folderName: "second" });
    const { folders } = await must(foldersGet, { as, data: { organizationId } });
    expect(folders).toEqual([expect.objectContaining({ folderName: "first" })]);
  });

  it("creates the organization with createOrganization", async () => {
    const as = await newWorkspace();
    const data = { organizationId, createOrganization: true, folders: [{ folderId: "f" }] };
    expect(codes(await must(foldersAdd, { as, data }))).toEqual({ f: "added" });
    expect(codes(await must(foldersAdd, { as, data }))).toEqual({ f: "already-exists" });
  });

  it("creates no organization when none of its folders can be added", async () => {
    const as = await newWorkspace();
    const folders = [{ folderId: "f", parentFolderId: "f" }];
    const reply = await call(foldersAdd, { as, data: { organizationId, createOrganization: true, folders } });
    expect(codes(reply.data as Results)).toEqual({ f: "cycle" });
    expect(reply.body.result).toMatchObject({ message: "No item succeeded. Each item says why." });
    expect((await call(foldersGet, { as, data: { organizationId } })).error?.status).toBe("INVALID_ARGUMENT");
  });

  it("applies a folder's access type to its descendants, unless a nearer folder has one", async () => {
    const as = await newOrganization();
    await give(as, "member", onOrganization());
    await add(
      as,
      { folderId: "inner", parentFolderId: "middle", accessType: "public" },
      { folderId: "middle", parentFolderId: "outer" },
      { folderId: "outer", accessType: "restricted" },
    );
    await addDocuments(as, "middle", "in middle");
    await addDocuments(as, "inner", "in inner");
    expect(await onOne(as, "member", "in middle")).toMatchObject({
      accessType: "restricted",
      error: expect.any(String),
    });
    expect(await onOne(as, "stranger", "in inner")).toMatchObject({ accessType: "public", accessRole: "viewer" });
  });

  it("accepts 1,000 folders", async () => {
    const folders = Array.from({ length: 1_000 }, (_, index) => ({ folderId: `n${index}`, parentFolderId: "top" }));
    const results = await add(await newOrganization(), { folderId: "top" }, ...folders.slice(1));
    expect(new Set(Object.values(codes(results)))).toEqual(new Set(["added"]));
  });
});

describe("FAILED_PRECONDITION", () => {
  it("names the switch that is off, and nothing is added", async () => {
    const as = await newOrganization();
    await Setting.update({ workspace: as.apiKey }, "switches", { advancedQueries: false });
    const { error } = await call(foldersAdd, { as, data: { organizationId, folders: [{ folderId: "f" }] } });
    expect(error).toMatchObject({ status: "FAILED_PRECONDITION", message: expect.stringContaining("advancedQueries") });
    expect((await must(foldersGet, { as, data: { organizationId } })).folders).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has, without createOrganization", async () => {
    await newOrganization();
    for (const createOrganization of [undefined, null, false]) {
      const data = { organizationId, createOrganization, folders: [{ folderId: "f" }] };
      expect((await call(foldersAdd, { as: await newWorkspace(), data })).error?.status).toBe("INVALID_ARGUMENT");
    }
  });

  it("is returned for an unknown access type, an empty list and 1,001 folders, and nothing is created", async () => {
    const as = await newWorkspace();
    const many = Array.from({ length: 1_001 }, (_, index) => ({ folderId: `f${index}` }));
    for (const folders of [[], many, [{ folderId: "f", accessType: "secret" }], [{}], "f"]) {
      const { error } = await call(foldersAdd, { as, data: { organizationId, createOrganization: true, folders } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
    const documents = [{ documentId: "d" }];
    expect((await call(documentsAdd, { as, data: { organizationId, documents } })).error?.status).toBe(
      "INVALID_ARGUMENT",
    );
  });
});

describe("AWS calls", () => {
  it("makes two reads, and one transaction for each level of folders", async () => {
    const aws = mockAws(mocked.rows);
    const folders = [{ folderId: "b", parentFolderId: "a" }, { folderId: "a" }];
    await callSource(handler, foldersAdd, { organizationId, folders });
    const text = (id: string) => `${folderEntity.key({ ...mockedOrganization, folderId: id }).pk} ${id}`;
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#switches, W#w SETTING#webhooks$/),
      `BatchGet W#w#O#o ORG, ${text("b")}, ${text("a")}`,
      `TransactWrite Put ${text("a")} if absent, Put W#w#O#o#C# F#a`,
      `TransactWrite Put ${text("b")} if absent, Put W#w#O#o#C#a F#b`,
    ]);
    aws.restore();
  });
});
