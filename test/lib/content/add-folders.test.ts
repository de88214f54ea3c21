import { afterEach, expect, it, vi } from "vitest";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import { addFolders } from "../../../lib/content/add-folders.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { must } from "../../support/call.ts";
import { addDocuments, give, newOrganization, onOne, onOrganization, organizationId } from "../../support/workspace.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("adds folders below one that a concurrent call has added, with that one's access type", async () => {
  const as = await newOrganization();
  await give(as, "member", onOrganization());
  const middle = { folderId: "middle", parentFolderId: "above", accessType: "organizationPrivate" } as const;
  let isBeside = false;
  interceptStore(async ({ constructor: { name }, input }) => {
    if (isBeside || name !== "TransactWriteCommand" || !JSON.stringify(input).includes("F#middle")) return;
    isBeside = true;
    await must(foldersAdd, { as, data: { organizationId, folders: [{ ...middle, accessType: "restricted" }] } });
  });
  const requests = [{ folderId: "above" }, middle, { folderId: "below", parentFolderId: "middle" }];
  const refused = await addFolders({ workspace: as.apiKey, organizationId }, requests);
  expect([...refused]).toEqual([["middle", "already-exists"]]);
  await addDocuments(as, "below", "in below");
  expect(await onOne(as, "member", "in below")).toMatchObject({ accessType: "restricted" });
});
