// Concurrent changes of one document: none undoes another one, and the lists agree with the document.
import { expect, it } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { documentsMigrateStatus } from "../../../functions/documents/documents-migrate-status.ts";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { foldersUpdate } from "../../../functions/folders/folders-update.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { type Credentials, must } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const rounds = 20;

const update = (as: Credentials, change: object) =>
  must(documentsUpdate, { as, data: { organizationId, documents: [{ documentId: "d", ...change }] } });
const documentsIn = async (as: Credentials, data: object = {}): Promise<Record<string, unknown>[]> =>
  (await must(documentsGet, { as, data: { organizationId, ...data } })).documents;

/** The organization has the folders `f` and `g`, and the document `d` in `f`. */
async function withDocument(): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" }, { folderId: "g" });
  await f.addDocuments(as, "f", "d");
  return as;
}

it("concurrent updates of different fields all count, and so does a move", async () => {
  const as = await withDocument();
  for (let round = 0; round < rounds; round++) {
    const folderId = round % 2 ? "f" : "g";
    const [documentName, accessType] = [`name ${round}`, round % 3 ? "public" : "restricted"];
    await Promise.all([update(as, { documentName }), update(as, { accessType }), update(as, { folderId })]);
    expect(await documentsIn(as)).toMatchObject([{ documentName, accessType, folderId }]);
    expect(await documentsIn(as, { folderId })).toHaveLength(1);
    expect(await documentsIn(as, { folderId: round % 2 ? "g" : "f" })).toEqual([]);
  }
});

it("a restriction of a folder holds for every question that begins after its reply", async () => {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "top" }, { folderId: "f", parentFolderId: "top" });
  await f.addDocuments(as, "f", "d");
  const restrict = (accessType: string) =>
    must(foldersUpdate, { as, data: { organizationId, folders: [{ folderId: "top", accessType }] } });
  for (let round = 0; round < rounds; round++) {
    await restrict("public");
    let isRestricted = false;
    const ask = async () => {
      const isAfter = isRestricted;
      const { accessType } = await f.onOne(as, "u", "d");
      if (isAfter) expect(accessType).toBe("restricted");
      return accessType;
    };
    const change = restrict("restricted").then(() => {
      isRestricted = true;
    });
    const during = await Promise.all(Array.from({ length: 5 }, ask));
    await change;
    expect(await ask()).toBe("restricted");
    for (const accessType of during) expect(["public", "restricted"]).toContain(accessType);
  }
});

it("a move, an update, a migration and a deletion leave the document whole under one id, or nowhere", async () => {
  const ends = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const as = await withDocument();
    const ids = { organizationId, documentId: "d", newDocumentId: "e" };
    const { migrationId } = await must(documentsMigrate, { as, data: ids });
    const jobs = (await jobsOf(as, "migrate")).map(({ id }) => id);
    const [moved, named, , deleted] = await Promise.all([
      update(as, { folderId: "g" }),
      update(as, { documentName: "D" }),
      deliver(migrate, jobs),
      must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } }),
    ]);
    const { status } = await must(documentsMigrateStatus, { as, data: { organizationId, migrationId } });
    const left = await documentsIn(as);
    ends.add(`${status} ${deleted.d.message}`);
    if (deleted.d.message === "Document deleted.") {
      expect([status, left]).toEqual(["failed", []]);
    } else {
      expect(status).toBe("completed");
      expect(left).toMatchObject([{ documentId: "e", folderId: moved.d.success ? "g" : "f" }]);
      expect(left[0]?.documentName).toBe(named.d.success ? "D" : undefined);
    }
    for (const folderId of ["f", "g"]) {
      const inFolder = left.filter((document) => document.folderId === folderId);
      expect(await documentsIn(as, { folderId })).toEqual(inFolder);
    }
    for (const documentId of ["d", "e"]) {
      const found = await Document.organizationsOf({ workspace: as.apiKey, documentId }, 2);
      expect(found).toHaveLength(left.filter((document) => document.documentId === documentId).length);
    }
  }
  expect(ends.size).toBeGreaterThan(0);
});
