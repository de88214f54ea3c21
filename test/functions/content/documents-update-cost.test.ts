import { expect, it } from "vitest";
import { documentsUpdate } from "../../../functions/content/documents-update.ts";
import { must } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { addDocuments, addFolders, newOrganization, organizationId } from "../../support/workspace.ts";

it("moves 1,000 documents below 32 folders in 36 transactions, and writes nothing when nothing changes", async () => {
  const as = await newOrganization();
  const folders = Array.from({ length: 32 }, (_, index) => ({
    folderId: `f${index}`,
    ...(index > 0 && { parentFolderId: `f${index - 1}` }),
  }));
  await addFolders(as, ...folders);
  const ids = Array.from({ length: 1_000 }, (_, index) => `d${index}`);
  await addDocuments(as, undefined, ...ids);
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
