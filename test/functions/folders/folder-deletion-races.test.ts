// A folder is deleted while concurrent calls add to it and move into and out of it. In the end nothing is orphaned.
import { expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import { foldersDelete } from "../../../functions/folders/folders-delete.ts";
import { foldersUpdate } from "../../../functions/folders/folders-update.ts";
import { jobsStatus } from "../../../functions/jobs/jobs-status.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { runPurges } from "../../support/run-purges.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
fakeDates();

async function withTree(): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" }, { folderId: "g", parentFolderId: "f" }, { folderId: "other" });
  await f.addDocuments(as, "g", "a", "b");
  await f.addDocuments(as, "other", "c");
  return as;
}

/** The items of folders and documents that exist, by entity. */
async function stored(as: Credentials) {
  const items = await itemsOf(as.apiKey);
  const of = (entity: string) => items.filter((item) => item.entity === entity);
  const exist = (entity: string) => of(entity).filter(({ createdAt }) => createdAt !== undefined);
  return { folders: exist("folder"), documents: exist("document"), children: of("folder-child") };
}

/** Every document and folder has existing folders above it, and there is one entry for each. */
async function expectWhole(as: Credentials): Promise<void> {
  const { folders, documents, children } = await stored(as);
  const existing = new Set(folders.map(({ folderId }) => folderId));
  for (const { ancestors } of [...folders, ...documents]) {
    for (const id of ancestors as string[]) expect(existing).toContain(id);
  }
  expect(children).toHaveLength(folders.length + documents.length);
}

/** The calls beside the deletion. Each result is of one item. */
const changesOf = (as: Credentials) => [
  () => must(documentsAdd, { as, data: { organizationId, folderId: "g", documents: [{ documentId: "new" }] } }),
  () => must(foldersAdd, { as, data: { organizationId, folders: [{ folderId: "h", parentFolderId: "g" }] } }),
  () => must(documentsUpdate, { as, data: { organizationId, documents: [{ documentId: "c", folderId: "g" }] } }),
  () => must(documentsUpdate, { as, data: { organizationId, documents: [{ documentId: "a", folderId: "other" }] } }),
  () => must(foldersUpdate, { as, data: { organizationId, folders: [{ folderId: "f", folderName: "F" }] } }),
];

it("adds and moves beside the mark end before the job starts, and are deleted, or are refused", async () => {
  for (let round = 0; round < 15; round++) {
    const as = await withTree();
    const deletion = () => must(foldersDelete, { as, data: { organizationId, folderIds: ["f"], recursive: true } });
    const [marked, added, , movedIn, movedOut] = await Promise.all([deletion, ...changesOf(as)].map((run) => run()));
    await runPurges(as);
    const { status } = await must(jobsStatus, { as, data: { jobId: marked.f.jobId } });
    expect(status).toBe("completed");
    const { folders, documents } = await stored(as);
    expect(folders.map(({ folderId }) => folderId)).toEqual(["other"]);
    expect(movedOut.a.success).toBe(true);
    if (!added.new.success) expect(added.new.code).toBe("being-deleted");
    const expected = movedIn.c.success ? ["a"] : ["a", "c"];
    expect(documents.map(({ documentId }) => documentId).sort()).toEqual(expected);
    await expectWhole(as);
  }
});

it("documents are moved out, and others are refused, while the job runs", async () => {
  for (let round = 0; round < 15; round++) {
    const as = await withTree();
    await must(foldersDelete, { as, data: { organizationId, folderIds: ["f"], recursive: true } });
    const [, added, folderAdded, movedIn, movedOut] = await Promise.all([
      runPurges(as),
      ...changesOf(as).map((run) => run()),
    ]);
    expect(["being-deleted", "folder-not-found"]).toContain(added?.new.code);
    expect(["being-deleted", "parent-not-found"]).toContain(folderAdded?.h.code);
    expect(["being-deleted", "folder-not-found"]).toContain(movedIn?.c.code);
    const { folders, documents } = await stored(as);
    expect(folders.map(({ folderId }) => folderId)).toEqual(["other"]);
    const expected = movedOut?.a.success ? ["a", "c"] : ["c"];
    expect(documents.map(({ documentId }) => documentId).sort()).toEqual(expected);
    await expectWhole(as);
  }
});

it("overlapping deletions of a tree all complete, and leave nothing of it", async () => {
  for (let round = 0; round < 8; round++) {
    const as = await withTree();
    await f.addFolders(as, { folderId: "h", parentFolderId: "g" });
    await f.addDocuments(as, "h", "d", "e");
    const remove = (folderId: string) =>
      must(foldersDelete, { as, data: { organizationId, folderIds: [folderId], recursive: true } });
    const marked = await Promise.all(["h", "f", "g"].map(remove));
    await runPurges(as);
    for (const { jobId } of marked.flatMap((each) => Object.values(each) as { jobId: string }[])) {
      expect(await must(jobsStatus, { as, data: { jobId } })).toMatchObject({ status: "completed" });
    }
    const { folders, documents } = await stored(as);
    expect(folders.map(({ folderId }) => folderId)).toEqual(["other"]);
    expect(documents.map(({ documentId }) => documentId)).toEqual(["c"]);
    await expectWhole(as);
  }
});
