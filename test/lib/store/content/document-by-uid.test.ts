import { afterEach, expect, it, vi } from "vitest";
import { documentsDataAdd } from "../../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../../functions/documents/documents-add.ts";
import { commit } from "../../../../lib/jobs/commit.ts";
import * as Document from "../../../../lib/store/content/document.ts";
import { documentByUid } from "../../../../lib/store/content/document-by-uid.ts";
import { interceptStore } from "../../../support/aws/intercept-store.ts";
import { must } from "../../../support/call.ts";
import { newOrganization, organizationId } from "../../../support/workspace.ts";

afterEach(() => void vi.restoreAllMocks());

it("finds a document whose id a migration changes between the two reads", async () => {
  const as = await newOrganization();
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "old" }] } });
  const comments = [{ annotationId: "a", from: { userId: "u" }, comments: [] }];
  await must(documentsDataAdd, { as, data: { organizationId, documentId: "old", location: { id: "l" }, comments } });
  const organization = { workspace: as.apiKey, organizationId };
  const document = (await Document.get({ ...organization, documentId: "old" })) as Document.Document;
  const { documentUid } = document;
  let reads = 0;
  interceptStore(async ({ input }) => {
    if (!JSON.stringify(input).includes("old") || reads++ > 0) return;
    await commit(Document.renaming(organization, document, "new", undefined));
  });
  expect(await documentByUid({ workspace: as.apiKey, documentUid })).toMatchObject({ documentId: "new" });
});
