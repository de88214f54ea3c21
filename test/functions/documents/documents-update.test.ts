import { describe, expect, it } from "vitest";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { documentsUpdate, handler } from "../../../functions/documents/documents-update.ts";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { folderEntity } from "../../../lib/store/content/folder.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const update = (as: Credentials, ...documents: object[]) =>
  must(documentsUpdate, { as, data: { organizationId, documents } });
const updated = (id: string) => ({ success: true, id, message: "Document updated." });
const refused = (id: string, code: string, message: string) => ({ success: false, id, code, message });

async function documentsOf(as: Credentials, data: object = {}): Promise<Record<string, unknown>[]> {
  return (await must(documentsGet, { as, data: { organizationId, ...data } })).documents;
}
const idsOf = async (as: Credentials, data: object) =>
  (await documentsOf(as, data)).map(({ documentId }) => documentId);

/** The organization has the folder `f`, the folder `g` below it, and the document `d` in `f`. */
async function withDocument(): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" }, { folderId: "g", parentFolderId: "f", accessType: "restricted" });
  await f.addDocuments(as, "f", "d");
  return as;
}

describe("OK", () => {
  it("sets the fields that are sent, keeps the others, and removes those that are null", async () => {
    const as = await withDocument();
    const createdAt = expect.any(String);
    expect(await update(as, { documentId: "d", documentName: "D", accessType: "public" })).toEqual({ d: updated("d") });
    const named = { documentId: "d", documentName: "D", accessType: "public", folderId: "f", createdAt };
    expect(await documentsOf(as)).toEqual([named]);
    await update(as, { documentId: "d", documentName: "E" });
    expect(await documentsOf(as)).toEqual([{ ...named, documentName: "E" }]);
    await update(as, { documentId: "d", documentName: null, accessType: null });
    expect(await documentsOf(as)).toEqual([{ documentId: "d", folderId: "f", createdAt }]);
  });

  it("moves a document to another folder, and to the root, with its grants and its own access type", async () => {
    const as = await withDocument();
    await f.give(as, "u", f.onDocument("d", { accessRole: "viewer" }));
    await f.give(as, "v", f.onFolder("g"));
    await update(as, { documentId: "d", accessType: "public", folderId: "g" });
    expect(await idsOf(as, { folderId: "f" })).toEqual([]);
    expect(await idsOf(as, { folderId: "g" })).toEqual(["d"]);
    expect(await documentsOf(as)).toMatchObject([{ folderId: "g" }]);
    expect(await f.onOne(as, "u", "d")).toEqual({ accessRole: "viewer", accessType: "restricted" });
    expect(await f.onOne(as, "v", "d")).toEqual({ accessRole: "editor", accessType: "restricted" });
    await update(as, { documentId: "d", folderId: null });
    expect(await idsOf(as, { folderId: "g" })).toEqual([]);
    expect(await documentsOf(as)).toEqual([expect.not.objectContaining({ folderId: expect.anything() })]);
    expect(await f.onOne(as, "u", "d")).toEqual({ accessRole: "viewer", accessType: "public" });
    expect(await f.onOne(as, "v", "d")).toEqual({ accessRole: "viewer", accessType: "public" });
  });

  it("reports missing documents and folders and empty updates per item, and updates the others", async () => {
    const as = await withDocument();
    await f.addDocuments(as, undefined, "e", "empty", "same");
    const results = await update(
      as,
      { documentId: "no", documentName: "N" },
      { documentId: "e", documentName: "E", folderId: "nowhere" },
      { documentId: "empty" },
      { documentId: "d", documentName: "D" },
      { documentId: "same", folderId: null },
      { documentId: "d", documentName: "Ignored" },
    );
    expect(results).toEqual({
      no: refused("no", "not-found", "The document does not exist."),
      e: refused("e", "folder-not-found", "The folder does not exist."),
      empty: refused("empty", "nothing-to-update", "Give documentName, accessType, folderId or metadata."),
      d: updated("d"),
      same: updated("same"),
    });
    const names = (await documentsOf(as)).map(({ documentId, documentName }) => [documentId, documentName]);
    expect(Object.fromEntries(names)).toEqual({ d: "D", e: undefined, empty: undefined, same: undefined });
  });

  it("accepts any id as document and folder", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, ...f.oddIds.map((folderId) => ({ folderId })));
    await f.addDocuments(as, undefined, ...f.oddIds);
    await update(as, ...f.oddIds.map((id) => ({ documentId: id, folderId: id, documentName: id })));
    for (const id of f.oddIds) {
      expect(await documentsOf(as, { folderId: id })).toMatchObject([
        { documentId: id, folderId: id, documentName: id },
      ]);
    }
  });

  it("sends one event for each document that it changed, and none for the others", async () => {
    const as = await withDocument();
    await f.addDocuments(as, "f", "e");
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["document.update"] });
    await update(as, { documentId: "d", accessType: "public", folderId: "g" }, { documentId: "e", folderId: "f" });
    await update(as, { documentId: "d", accessType: "public", folderId: "g" });
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events);
    const data = { documentId: "d", accessType: "public", folderId: "g" };
    const about = { workspace: as.apiKey, organizationId, documentId: "d" };
    expect(events).toEqual([{ type: "document.update", ...about, data }]);
  });
});

describe("metadata", () => {
  const metadataOf = async (as: Credentials) => (await documentsOf(as, { documentIds: ["d"] }))[0]?.metadata;

  it("is merged by key, null removes a key or all, and a call that changes nothing causes no event", async () => {
    const as = await withDocument();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["document.update"] });
    const set = (metadata: object | null) => update(as, { documentId: "d", metadata });
    expect(await set({ url: "https://app.example.com/d", size: 1e300, "": [null] })).toEqual({ d: updated("d") });
    expect(await metadataOf(as)).toEqual({ url: "https://app.example.com/d", size: 1e300, "": [null] });
    await set({ size: 2, colour: { is: "green" }, "": null });
    expect(await metadataOf(as)).toEqual({ url: "https://app.example.com/d", size: 2, colour: { is: "green" } });
    const events = async () => (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events);
    expect(await events()).toHaveLength(2);
    for (const same of [{}, { size: 2 }, { unknown: null }]) expect(await set(same)).toEqual({ d: updated("d") });
    expect(await events()).toHaveLength(2);
    await update(as, { documentId: "d", documentName: "D" });
    expect(await metadataOf(as)).toMatchObject({ size: 2 });
    await set(null);
    expect(await documentsOf(as, { documentIds: ["d"] })).toEqual([expect.not.objectContaining({ metadata: {} })]);
    expect(await metadataOf(as)).toBeUndefined();
    expect(await set(null)).toEqual({ d: updated("d") });
    expect(await events()).toHaveLength(4);
  });

  it("keeps what calls at the same time add", async () => {
    const as = await withDocument();
    const keys = ["a", "b", "c", "e"];
    await Promise.all(keys.map((key) => update(as, { documentId: "d", metadata: { [key]: key } })));
    expect(await metadataOf(as)).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
  });

  it("has at most 8 KB after the merge", async () => {
    const as = await withDocument();
    const metadata = { a: "x".repeat(8_192 - 8) };
    expect(await update(as, { documentId: "d", metadata })).toEqual({ d: updated("d") });
    const message = "The metadata would have more than 8,192 bytes as JSON.";
    expect(await update(as, { documentId: "d", documentName: "D", metadata: { b: 1 } })).toEqual({
      d: refused("d", "metadata-too-large", message),
    });
    expect((await documentsOf(as, { documentIds: ["d"] }))[0]).not.toHaveProperty("documentName");
    expect(await update(as, { documentId: "d", metadata: { a: null, b: 1 } })).toEqual({ d: updated("d") });
    expect(await metadataOf(as)).toEqual({ b: 1 });
  });

  it("must be an object of at most 8 KB whose url is a string of at most 2 KB", async () => {
    const as = await withDocument();
    const invalid = [
      "x",
      [],
      { a: "x".repeat(8_192 - 7) },
      { url: 7 },
      { url: "x".repeat(2_049) },
      { url: ["https://app.example.com"] },
    ].map((metadata) => ({ documentId: "d", metadata }));
    const fields = ["0.metadata", "1.metadata", "2.metadata", ...[3, 4, 5].map((index) => `${index}.metadata.url`)];
    const issues = await f.issuesOf(documentsUpdate, as, { organizationId, documents: invalid });
    expect(issues).toEqual(fields.map((field) => `documents.${field}`));
    expect(await metadataOf(as)).toBeUndefined();
  });
});

it("moves no document to a folder of another organization", async () => {
  const as = await f.newOrganization();
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "p" }] } });
  await must(foldersAdd, { as, data: { organizationId: "p", folders: [{ folderId: "of-p" }] } });
  await f.addDocuments(as, undefined, "d");
  expect((await update(as, { documentId: "d", folderId: "of-p" })).d).toMatchObject({ code: "folder-not-found" });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has, whose document is unchanged", async () => {
    const as = await withDocument();
    const data = { organizationId, documents: [{ documentId: "d", documentName: "X" }] };
    expect((await call(documentsUpdate, { as: await newWorkspace(), data })).error?.status).toBe("INVALID_ARGUMENT");
    const bob = await f.newOrganization();
    await f.addDocuments(bob, undefined, "e");
    expect(await update(bob, { documentId: "d", documentName: "X" }, { documentId: "e", folderId: "f" })).toMatchObject(
      {
        d: { code: "not-found" },
        e: { code: "folder-not-found" },
      },
    );
    expect(await documentsOf(as)).toMatchObject([{ documentId: "d", folderId: "f" }]);
    expect((await documentsOf(as))[0]).not.toHaveProperty("documentName");
  });

  it("lists every invalid field, and nothing changes", async () => {
    const as = await withDocument();
    const invalid = [
      { documentId: "d", documentName: 7, accessType: "secret", folderId: "" },
      { documentName: "N" },
      { documentId: "d", documentName: "x".repeat(65_537) },
    ];
    const paths = ["0.documentName", "0.accessType", "0.folderId", "1.documentId", "2.documentName"];
    const issues = await f.issuesOf(documentsUpdate, as, { organizationId, documents: invalid });
    expect(issues).toEqual(paths.map((path) => `documents.${path}`));
    const many = Array.from({ length: 1_001 }, (_, index) => ({ documentId: `d${index}`, documentName: "N" }));
    for (const documents of [[], many, "d", undefined]) {
      expect(await f.issuesOf(documentsUpdate, as, { organizationId, documents })).toEqual(["documents"]);
    }
    expect((await documentsOf(as))[0]).not.toHaveProperty("documentName");
  });
});

describe("AWS calls", () => {
  it("are two reads, one for the folders above the target, and one transaction", async () => {
    const ref = { ...f.mockedOrganization, folderId: "g" };
    const above = { organizationId, folderId: "g", ancestors: ["f"], createdAt: "" };
    const top = { organizationId, folderId: "f", ancestors: [], createdAt: "" };
    const folders = [folderEntity.put(ref, above).put, folderEntity.put({ ...ref, folderId: "f" }, top).put];
    const aws = mockAws([...f.mocked.rows, f.mockedDocument("d", { ancestors: [] }), ...folders]);
    await f.callSource(handler, documentsUpdate, { organizationId, documents: [{ documentId: "d", folderId: "g" }] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `BatchGet ${f.keyText.document("d")}, W#w#O#o ORG, ${f.keyText.folder("g")}`,
      `BatchGet ${f.keyText.folder("f")}, W#w#O#o ORG`,
      `TransactWrite Put ${f.keyText.document("d")} if {documentUid & no rev}, Delete W#w#O#o#C# D#d, Put W#w#O#o#C#g D#d`,
    ]);
    aws.restore();
  });
});

it("moves 1,000 documents below 32 folders in 36 transactions, and writes nothing when nothing changes", async () => {
  const as = await f.newOrganization();
  const folders = Array.from({ length: 32 }, (_, index) => ({
    folderId: `f${index}`,
    ...(index > 0 && { parentFolderId: `f${index - 1}` }),
  }));
  await f.addFolders(as, ...folders);
  const ids = Array.from({ length: 1_000 }, (_, index) => `d${index}`);
  await f.addDocuments(as, undefined, ...ids);
  const documents = ids.map((documentId) => ({ documentId, folderId: "f31" }));
  const move = () => must(documentsUpdate, { as, data: { organizationId, documents } });
  const costOf = () => logs().findLast(({ endpoint }) => endpoint === "documents-update") ?? {};
  expect(Object.values(await move())).toEqual(ids.map((id) => ({ success: true, id, message: "Document updated." })));
  // The settings, the documents and the folder, the 31 folders above it, and transactions of 28 documents.
  expect(costOf()).toMatchObject({ roundTrips: 1 + 11 + 1 + 36, writeUnits: 1_000 * 3 * 2 });
  await move();
  expect(costOf()).toMatchObject({ writeUnits: 0 });
  expect(costOf().roundTrips).toBeLessThanOrEqual(1 + 11 + 1);
});
