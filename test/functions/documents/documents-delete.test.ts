import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsDelete, handler } from "../../../functions/documents/documents-delete.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { documentEntity, locatorEntity } from "../../../lib/store/content/document.ts";
import { type DocumentDataRef, documentDataPartition } from "../../../lib/store/refs.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import {
  addDocuments,
  addFolders,
  callSource,
  give,
  keyText,
  mocked,
  mockedDocument,
  newOrganization,
  oddIds,
  onDocument,
  onOne,
  organizationId,
} from "../../support/workspace.ts";

const remove = (as: Credentials, ...documentIds: string[]) =>
  must(documentsDelete, { as, data: { organizationId, documentIds } });

async function documentsOf(as: Credentials, data: object = {}): Promise<{ documentId: string }[]> {
  return (await must(documentsGet, { as, data: { organizationId, ...data } })).documents;
}

const purgesOf = (as: Credentials) => jobsOf(as, "purge");

describe("OK", () => {
  it("deletes documents from every list immediately, and keeps the others", async () => {
    const as = await newOrganization();
    await addFolders(as, { folderId: "f" });
    await addDocuments(as, "f", "a", "b");
    await addDocuments(as, undefined, "c");
    expect(await remove(as, "a", "c")).toEqual({
      a: { success: true, id: "a", message: "Document deleted." },
      c: { success: true, id: "c", message: "Document deleted." },
    });
    for (const data of [{}, { folderId: "f" }, { documentIds: ["a", "b", "c"] }]) {
      expect((await documentsOf(as, data)).map(({ documentId }) => documentId)).toEqual(["b"]);
    }
    const locator = locatorEntity.key({ workspace: as.apiKey, documentId: "a", organizationId });
    expect(await Table.get(locator)).toBeUndefined();
  });

  it("succeeds for a document that does not exist, with a message", async () => {
    const missing = { success: true, id: "missing", message: "The document does not exist." };
    expect(await remove(await newOrganization(), "missing")).toEqual({ missing });
  });

  it("deletes documents with any id, and counts a repeated id once", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, ...oddIds);
    const data = await remove(as, ...oddIds, ...oddIds);
    expect(Object.values(data)).toEqual(oddIds.map(() => expect.objectContaining({ message: "Document deleted." })));
    expect(await documentsOf(as)).toEqual([]);
  });

  it("keeps a grant on a document that does not exist yet", async () => {
    const as = await newOrganization();
    await give(as, "ann", onDocument("d"));
    expect((await remove(as, "d")).d.message).toBe("The document does not exist.");
    await addDocuments(as, undefined, "d");
    expect(await onOne(as, "ann", "d")).toMatchObject({ accessRole: "editor" });
  });

  it("does not restore the old grants of a document that is added again", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    await give(as, "ann", onDocument("d"));
    await remove(as, "d");
    await addDocuments(as, undefined, "d");
    expect(await onOne(as, "ann", "d")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("stores a purge job for exactly the deleted documents", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "a", "b");
    const workspace = as.apiKey;
    const items = ["a", "b"].map((documentId) => documentEntity.key({ workspace, organizationId, documentId }));
    const stored = (await Table.getMany(items)) as Omit<DocumentDataRef, "workspace">[];
    await remove(as, "a", "b", "missing");
    const purged = (await purgesOf(as)).flatMap(({ payload }) => payload.partitions as string[]);
    expect(purged.sort()).toEqual(stored.map((each) => documentDataPartition({ ...each, workspace })).sort());
  });

  it("deletes a document once when concurrent calls delete it", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    const results = await Promise.all(Array.from({ length: 5 }, () => remove(as, "d")));
    expect(results.filter(({ d }) => d.message === "Document deleted.")).toHaveLength(1);
    expect(await purgesOf(as)).toHaveLength(1);
  });

  it("accepts 1,000 documents", async () => {
    const as = await newOrganization();
    const ids = Array.from({ length: 1_000 }, (_, index) => `d${index}`);
    await must(documentsAdd, { as, data: { organizationId, documents: ids.map((documentId) => ({ documentId })) } });
    await remove(as, ...ids);
    expect(await documentsOf(as)).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has, whose document is kept", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    const { error } = await call(documentsDelete, {
      as: await newWorkspace(),
      data: { organizationId, documentIds: ["d"] },
    });
    expect(error?.status).toBe("INVALID_ARGUMENT");
    expect(await documentsOf(as)).toHaveLength(1);
  });

  it("is returned for an empty list, 1,001 ids and invalid ids, and nothing is deleted", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d0");
    const many = Array.from({ length: 1_001 }, (_, index) => `d${index}`);
    for (const documentIds of [[], many, ["d0", ""], ["d0", 7], "d0", undefined]) {
      const { error } = await call(documentsDelete, { as, data: { organizationId, documentIds } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
    expect(await documentsOf(as)).toHaveLength(1);
  });
});

describe("AWS calls", () => {
  it("makes two reads, one transaction with its job, and one send", async () => {
    const aws = mockAws([...mocked.rows, mockedDocument("d", { ancestors: ["f"] })]);
    await callSource(handler, documentsDelete, { organizationId, documentIds: ["d", "missing"] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `BatchGet ${keyText.document("d")}, ${keyText.document("missing")}, W#w#O#o ORG`,
      expect.stringMatching(
        new RegExp(
          `^TransactWrite Delete ${keyText.document("d")} if {documentUid & no rev}, Delete W#w#DOC#d o, Delete W#w#O#o#C#f D#d, Put JOB#\\S+ JOB if absent$`,
        ),
      ),
      "SendMessageBatch",
    ]);
    aws.restore();
  });
});
