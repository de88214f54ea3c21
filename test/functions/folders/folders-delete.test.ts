import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { documentsMigrateStatus } from "../../../functions/documents/documents-migrate-status.ts";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import { foldersDelete, handler } from "../../../functions/folders/folders-delete.ts";
import { foldersGet } from "../../../functions/folders/folders-get.ts";
import { foldersUpdate } from "../../../functions/folders/folders-update.ts";
import { jobsStatus } from "../../../functions/jobs/jobs-status.ts";
import { migrate as migration } from "../../../functions/workers/migrate.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { folderEntity } from "../../../lib/store/content/folder.ts";
import { newDocumentUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { runPurges } from "../../support/run-purges.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
fakeDates();

const remove = (as: Credentials, folderIds: string[], recursive?: boolean) =>
  must(foldersDelete, { as, data: { organizationId, folderIds, recursive } });
const begun = (id: string) => ({
  success: true,
  id,
  message: "The folder is being deleted.",
  jobId: expect.any(String),
});
const statusOf = (as: Credentials, jobId: string) => must(jobsStatus, { as, data: { jobId } });
const foldersOf = async (as: Credentials): Promise<{ folderId: string }[]> =>
  (await must(foldersGet, { as, data: { organizationId } })).folders;
const folderIdsOf = async (as: Credentials) => (await foldersOf(as)).map(({ folderId }) => folderId).sort();
const documentIdsOf = async (as: Credentials): Promise<string[]> =>
  (await must(documentsGet, { as, data: { organizationId } })).documents
    .map(({ documentId }: { documentId: string }) => documentId)
    .sort();
const move = (as: Credentials, documentId: string, folderId: string | null) =>
  must(documentsUpdate, { as, data: { organizationId, documents: [{ documentId, folderId }] } });

/** The folders `f`, `g` below it and `h` below `g`, each with a document, and the folder `other` with one. */
async function withTree(): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(
    as,
    { folderId: "f" },
    { folderId: "g", parentFolderId: "f" },
    { folderId: "h", parentFolderId: "g" },
    { folderId: "other" },
  );
  for (const folder of ["f", "g", "h", "other"]) await f.addDocuments(as, folder, `in-${folder}`);
  return as;
}

describe("OK", () => {
  it("deletes an empty folder by a job, and the id can be added again", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" }, { folderId: "kept" });
    const results = await remove(as, ["f", "f"]);
    expect(results).toEqual({ f: begun("f") });
    const { jobId } = results.f;
    expect(await statusOf(as, jobId)).toMatchObject({ kind: "folder-deletion", status: "pending" });
    expect(await foldersOf(as)).toContainEqual(expect.objectContaining({ folderId: "f", deletionJobId: jobId }));
    await runPurges(as);
    expect(await statusOf(as, jobId)).toMatchObject({ status: "completed", progress: { done: 1 } });
    expect(await folderIdsOf(as)).toEqual(["kept"]);
    await f.addFolders(as, { folderId: "f" });
  });

  it("deletes a tree with all its documents, grants and lists, and nothing else", async () => {
    const as = await withTree();
    await f.give(as, "u", f.onFolder("f"), f.onFolder("h"), f.onDocument("in-h"), f.onFolder("other"));
    const { jobId } = (await remove(as, ["f"], true)).f;
    expect(await documentIdsOf(as)).toHaveLength(4);
    await runPurges(as);
    expect(await statusOf(as, jobId)).toMatchObject({ status: "completed", progress: { done: 6 } });
    expect(await folderIdsOf(as)).toEqual(["other"]);
    expect(await documentIdsOf(as)).toEqual(["in-other"]);
    const left = (await itemsOf(as.apiKey)).filter(({ entity }) => /^(?:folder|document)/.test(String(entity)));
    const count = Object.entries(Object.groupBy(left, ({ entity }) => String(entity)));
    // The three deleted folders leave the internal ids of their next ones.
    expect(Object.fromEntries(count.map(([entity, items]) => [entity, items?.length]))).toEqual({
      document: 1,
      "document-locator": 1,
      folder: 4,
      "folder-child": 2,
      "folder-grant": 1,
      "folder-grantee": 1,
    });
  });

  it("sends an event for each folder and document", async () => {
    const as = await withTree();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["folder.delete", "document.delete"] });
    await remove(as, ["g"], true);
    await runPurges(as);
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events as { data: object }[]);
    const data = events.map((event) => JSON.stringify(event.data)).sort();
    const expected = [{ documentId: "in-g" }, { documentId: "in-h" }, { folderId: "g" }, { folderId: "h" }];
    expect(data).toEqual(expected.map((each) => JSON.stringify(each)).sort());
  });

  it("reports missing, full and marked folders per item, and marks the others", async () => {
    const as = await withTree();
    await f.addFolders(as, { folderId: "empty" });
    const { jobId } = (await remove(as, ["h"], true)).h;
    expect(await remove(as, ["no", "f", "other", "h", "empty"])).toEqual({
      no: { success: true, id: "no", message: "The folder does not exist." },
      f: {
        success: false,
        id: "f",
        code: "not-empty",
        message: "The folder is not empty. With recursive: true, it is deleted with what is in it.",
      },
      other: {
        success: false,
        id: "other",
        code: "not-empty",
        message: "The folder is not empty. With recursive: true, it is deleted with what is in it.",
      },
      h: { success: false, id: "h", code: "being-deleted", message: "The folder is being deleted already.", jobId },
      empty: begun("empty"),
    });
    expect((await remove(as, ["no"])).no).not.toHaveProperty("jobId");
  });

  it("deletes folders with any id, and 300 at once", async () => {
    const as = await f.newOrganization();
    const ids = [...f.oddIds, ...Array.from({ length: 300 - f.oddIds.length }, (_, index) => `f${index}`)];
    await f.addFolders(as, ...ids.map((folderId) => ({ folderId })));
    const results = await remove(as, ids);
    expect(results).toEqual(Object.fromEntries(ids.map((id) => [id, begun(id)])));
    expect(new Set(Object.values(results).map((each) => (each as { jobId: string }).jobId)).size).toBe(300);
  });

  it("with an Idempotency-Key returns the same jobs again, and deletes no later folder of the id", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    const headers = { "idempotency-key": "key" };
    const data = { organizationId, folderIds: ["f"] };
    const first = await must(foldersDelete, { as, data, headers });
    await runPurges(as);
    await f.addFolders(as, { folderId: "f" });
    expect(await must(foldersDelete, { as, data, headers })).toEqual(first);
    expect(await foldersOf(as)).toEqual([expect.not.objectContaining({ deletionJobId: expect.anything() })]);
  });
});

describe("a folder that is being deleted", () => {
  it("takes no documents, folders, moves or migrations, nor does a folder below it", async () => {
    const as = await withTree();
    await f.addDocuments(as, undefined, "d");
    await remove(as, ["f"], true);
    for (const folderId of ["f", "h"]) {
      const documents = { organizationId, folderId, documents: [{ documentId: "new" }] };
      const below = { organizationId, folders: [{ folderId: "new", parentFolderId: folderId }] };
      const migration = { organizationId, documentId: `in-${folderId}`, newDocumentId: "new" };
      const refused = { success: false, code: "being-deleted" };
      expect((await must(documentsAdd, { as, data: documents })).new).toMatchObject(refused);
      expect((await must(foldersAdd, { as, data: below })).new).toMatchObject(refused);
      expect((await move(as, "d", folderId)).d).toMatchObject(refused);
      expect((await call(documentsMigrate, { as, data: migration })).error?.status).toBe("ABORTED");
    }
    const again = await must(foldersAdd, { as, data: { organizationId, folders: [{ folderId: "f" }] } });
    expect(again.f).toMatchObject({ code: "being-deleted" });
    await runPurges(as);
    expect(await folderIdsOf(as)).toEqual(["other"]);
    expect(await documentIdsOf(as)).toEqual(["d", "in-other"]);
  });

  it("fails a migration that was accepted before, unless its document is moved out", async () => {
    const as = await withTree();
    const migrate = (documentId: string, newDocumentId: string) =>
      must(documentsMigrate, { as, data: { organizationId, documentId, newDocumentId } });
    const [inside, outside] = [await migrate("in-h", "a"), await migrate("in-g", "b")];
    const { jobId } = (await remove(as, ["f"], true)).f;
    await move(as, "in-g", null);
    const jobs = await jobsOf(as, "migrate");
    await deliver(
      migration,
      jobs.map(({ id }) => id),
    );
    const endOf = ({ migrationId }: { migrationId: string }) =>
      must(documentsMigrateStatus, { as, data: { organizationId, migrationId } });
    expect(await endOf(inside)).toMatchObject({ status: "failed", reason: "The document's folder is being deleted." });
    expect(await endOf(outside)).toMatchObject({ status: "completed" });
    await runPurges(as);
    expect((await statusOf(as, jobId)).status).toBe("completed");
    expect(await documentIdsOf(as)).toEqual(["b", "in-other"]);
  });

  it("spares documents that are moved out, and takes updates", async () => {
    const as = await withTree();
    const { jobId } = (await remove(as, ["f"], true)).f;
    await move(as, "in-h", "other");
    await move(as, "in-g", null);
    const folders = [{ folderId: "f", folderName: "F" }];
    expect((await must(foldersUpdate, { as, data: { organizationId, folders } })).f).toMatchObject({ success: true });
    await runPurges(as);
    expect(await statusOf(as, jobId)).toMatchObject({ status: "completed", progress: { done: 4 } });
    expect(await documentIdsOf(as)).toEqual(["in-g", "in-h", "in-other"]);
  });

  it("is kept without its mark, and the job fails, if an earlier call adds something to an empty one", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    const { jobId } = (await remove(as, ["f"])).f;
    // As a call that has not seen the mark.
    const document = { documentId: "d", documentUid: newDocumentUid(), ancestors: ["f"], createdAt: "now" };
    await commit(Document.creation({ workspace: as.apiKey, organizationId }, document, undefined));
    await runPurges(as);
    const reason = "Something was added to the folder.";
    expect(await statusOf(as, jobId)).toMatchObject({ status: "failed", reason });
    expect(await foldersOf(as)).toEqual([{ folderId: "f", createdAt: expect.any(String) }]);
    await f.addDocuments(as, "f", "e");
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has, whose folder is unchanged", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    const data = { organizationId, folderIds: ["f"], recursive: true };
    expect((await call(foldersDelete, { as: await newWorkspace(), data })).error?.status).toBe("INVALID_ARGUMENT");
    expect((await remove(await f.newOrganization(), ["f"], true)).f.message).toBe("The folder does not exist.");
    expect(await foldersOf(as)).toEqual([{ folderId: "f", createdAt: expect.any(String) }]);
  });

  it("is returned for invalid and unknown fields, and marks nothing", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f0" });
    const many = Array.from({ length: 1_001 }, (_, index) => `f${index}`);
    for (const folderIds of [[], many, "f0", undefined]) {
      expect(await f.issuesOf(foldersDelete, as, { organizationId, folderIds })).toEqual(["folderIds"]);
    }
    const invalid = { organizationId, folderIds: ["f0", ""], recursive: "yes", all: true };
    expect(await f.issuesOf(foldersDelete, as, invalid)).toEqual(["folderIds.1", "recursive", "all"]);
    expect((await foldersOf(as))[0]).not.toHaveProperty("deletionJobId");
  });
});

describe("AWS calls", () => {
  it("are two reads, the folder's list, one transaction with its job, and one send", async () => {
    const ref = { ...f.mockedOrganization, folderId: "f" };
    const folder = folderEntity.put(ref, { organizationId, folderId: "f", ancestors: [], createdAt: "" }).put;
    const aws = mockAws([...f.mocked.rows, folder]);
    await f.callSource(handler, foldersDelete, { organizationId, folderIds: ["f"] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+/),
      expect.stringMatching(/^BatchGet .* f, W#w#O#o ORG, JOB#\S+ JOB$/),
      expect.stringMatching(/^Query W#w#O#o#C#f/),
      expect.stringMatching(
        /^TransactWrite Put .* f if {no folderUid & createdAt & no rev}, Put JOB#\S+ JOB if absent$/,
      ),
      "SendMessageBatch",
    ]);
    aws.restore();
  });
});
