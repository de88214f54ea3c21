import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/content/documents-add.ts";
import { documentsDelete, handler } from "../../../functions/content/documents-delete.ts";
import { documentsGet } from "../../../functions/content/documents-get.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { keys } from "../../../lib/store/keys.ts";
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
  it("deletes documents for every reader at once, and leaves the others", async () => {
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
    expect(await Table.get(keys.documentLocator(as.apiKey, "a", organizationId))).toBeUndefined();
  });

  it("reports a document that does not exist as a success that says so", async () => {
    const gone = { success: true, id: "gone", message: "The document does not exist." };
    expect(await remove(await newOrganization(), "gone")).toEqual({ gone });
  });

  it("counts a repeated id once, and deletes under any id", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, ...oddIds);
    const data = await remove(as, ...oddIds, ...oddIds);
    expect(Object.values(data)).toEqual(oddIds.map(() => expect.objectContaining({ message: "Document deleted." })));
    expect(await documentsOf(as)).toEqual([]);
  });

  it("keeps a grant given before the document exists: there is no document to delete", async () => {
    const as = await newOrganization();
    await give(as, "ann", onDocument("d"));
    expect((await remove(as, "d")).d.message).toBe("The document does not exist.");
    await addDocuments(as, undefined, "d");
    expect(await onOne(as, "ann", "d")).toMatchObject({ accessRole: "editor" });
  });

  it("lets a document that is added again start empty: its grants do not come back", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    await give(as, "ann", onDocument("d"));
    await remove(as, "d");
    await addDocuments(as, undefined, "d");
    expect(await onOne(as, "ann", "d")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("stores a purge of exactly what was deleted", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "a", "b");
    const items = ["a", "b"].map((id) => keys.document(as.apiKey, organizationId, id));
    const uids = (await Table.getMany<{ uid: string }>(items)).map((each) => each?.uid);
    await remove(as, "a", "b", "gone");
    const purged = (await purgesOf(as)).flatMap(({ payload }) => payload.partitions as string[]);
    expect(purged.sort()).toEqual(uids.map((uid) => keys.documentData(as.apiKey, uid as string)).sort());
  });

  it("deletes a document once, however many calls delete it at the same time", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    const results = await Promise.all(Array.from({ length: 5 }, () => remove(as, "d")));
    expect(results.filter(({ d }) => d.message === "Document deleted.")).toHaveLength(1);
    expect(await purgesOf(as)).toHaveLength(1);
  });

  it("takes 1,000 documents", async () => {
    const as = await newOrganization();
    const ids = Array.from({ length: 1_000 }, (_, index) => `d${index}`);
    await must(documentsAdd, { as, data: { organizationId, documents: ids.map((documentId) => ({ documentId })) } });
    await remove(as, ...ids);
    expect(await documentsOf(as)).toEqual([]);
  });
});

describe("NOT_FOUND", () => {
  it("for an organization that is missing, or another workspace's, whose document stays", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "d");
    const { error } = await call(documentsDelete, {
      as: await newWorkspace(),
      data: { organizationId, documentIds: ["d"] },
    });
    expect(error?.status).toBe("NOT_FOUND");
    expect(await documentsOf(as)).toHaveLength(1);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("for no ids, 1,001 of them, and ids that do not fit; nothing is deleted", async () => {
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
    const document = { documentId: "d", uid: "x", ancestors: ["f"], createdAt: "2026-01-01T00:00:00.000Z" };
    const aws = mockAws([...mocked.rows, { ...keys.document("w", organizationId, "d"), ...document }]);
    await callSource(handler, documentsDelete, { organizationId, documentIds: ["d", "gone"] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `BatchGet ${keyText.document("d")}, ${keyText.document("gone")}, W#w#O#o ORG`,
      expect.stringMatching(
        new RegExp(
          `^TransactWrite Delete ${keyText.document("d")}, Delete W#w#DOC#d o, Delete W#w#O#o#C#f D#d, Put JOB#`,
        ),
      ),
      "SendMessageBatch",
    ]);
    aws.restore();
  });
});
