import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsAdd, handler } from "../../../functions/documents/documents-add.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { folderEntity } from "../../../lib/store/content/folder.ts";
import { organizationEntity } from "../../../lib/store/content/organization-life.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";
import {
  addDocuments,
  addFolders,
  callSource,
  give,
  keyText,
  mocked,
  mockedOrganization,
  newOrganization,
  oddIds,
  onDocument,
  onOne,
  onOrganization,
  organizationId,
} from "../../support/workspace.ts";

const add = (as: Credentials, documents: object[], folderId?: string | null) =>
  must(documentsAdd, { as, data: { organizationId, folderId, documents } });

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ documentId: `d${index}` }));

async function documentsOf(as: Credentials, ...documentIds: string[]) {
  return (await must(documentsGet, { as, data: { organizationId, documentIds } })).documents;
}

describe("OK", () => {
  it("adds documents to a folder", async () => {
    const as = await newOrganization();
    await addFolders(as, { folderId: "f" });
    const data = await add(as, [{ documentId: "d", documentName: "D", accessType: "public" }], "f");
    expect(data).toEqual({ d: { success: true, id: "d", message: "Document added." } });
    expect(await documentsOf(as, "d")).toEqual([
      { documentId: "d", documentName: "D", folderId: "f", accessType: "public", createdAt: expect.any(String) },
    ]);
  });

  it("keeps the metadata, without the keys that are null, also of a document whose id a grant has reserved", async () => {
    const as = await newOrganization();
    await give(as, "u", onDocument("reserved", { accessRole: "viewer" }));
    const metadata = { url: "https://app.example.com/d", constructor: 1e300, list: [null], gone: null };
    await add(as, [
      { documentId: "d", metadata },
      { documentId: "reserved", metadata: { a: 1 } },
      { documentId: "empty", metadata: {} },
    ]);
    const [d, reserved, empty] = await documentsOf(as, "d", "reserved", "empty");
    expect(d.metadata).toEqual({ url: "https://app.example.com/d", constructor: 1e300, list: [null] });
    expect(reserved.metadata).toEqual({ a: 1 });
    expect(empty).not.toHaveProperty("metadata");
    await add(as, [{ documentId: "d", metadata: { other: true } }]);
    expect((await documentsOf(as, "d"))[0].metadata).toEqual(d.metadata);
  });

  it.each([undefined, null])("adds documents to the organization's root when folderId is %s", async (folderId) => {
    const as = await newOrganization();
    await add(as, [{ documentId: "d" }], folderId);
    expect(await documentsOf(as, "d")).toEqual([{ documentId: "d", createdAt: expect.any(String) }]);
  });

  it("stores and returns any id and name unchanged", async () => {
    const as = await newOrganization();
    const data = await add(
      as,
      oddIds.map((documentId) => ({ documentId, documentName: documentId })),
    );
    expect(Object.keys(data).sort()).toEqual([...oddIds].sort());
    const found = await documentsOf(as, ...oddIds);
    expect(found.map(({ documentName }: { documentName: string }) => documentName)).toEqual(oddIds);
  });

  it("does not change an existing document, and adds the others", async () => {
    const as = await newOrganization();
    await add(as, [{ documentId: "d", documentName: "first" }]);
    expect(await add(as, [{ documentId: "d", documentName: "second" }, { documentId: "e" }])).toEqual({
      d: { success: false, id: "d", code: "already-exists", message: "The document already exists." },
      e: { success: true, id: "e", message: "Document added." },
    });
    expect((await documentsOf(as, "d"))[0].documentName).toBe("first");
  });

  it("reports a missing folder for each document, and adds none", async () => {
    const as = await newOrganization();
    const refused = { success: false, code: "folder-not-found", message: "The folder does not exist." };
    expect(await add(as, [{ documentId: "d" }, { documentId: "e" }], "nowhere")).toEqual({
      d: { ...refused, id: "d" },
      e: { ...refused, id: "e" },
    });
    expect(await documentsOf(as, "d", "e")).toEqual([]);
  });

  it("applies the folder's access type instead of the document's own", async () => {
    const as = await newOrganization();
    await give(as, "member", onOrganization());
    await addFolders(as, { folderId: "f", accessType: "restricted" });
    await add(as, [{ documentId: "inside", accessType: "public" }], "f");
    await add(as, [{ documentId: "outside", accessType: "public" }]);
    expect(await onOne(as, "member", "inside")).toMatchObject({ accessType: "restricted", error: expect.any(String) });
    expect(await onOne(as, "stranger", "outside")).toMatchObject({ accessType: "public", accessRole: "viewer" });
  });

  it("accepts 1,000 documents, and counts a repeated id once", async () => {
    const as = await newOrganization();
    const data = await add(as, [...numbered(999), { documentId: "d0" }]);
    expect(Object.values(data).filter((each) => (each as { success: boolean }).success)).toHaveLength(999);
    expect(await documentsOf(as, "d0", "d998")).toHaveLength(2);
  });

  it("adds each document once when concurrent calls add it", async () => {
    const as = await newOrganization();
    const results = await Promise.all(Array.from({ length: 6 }, () => add(as, numbered(3))));
    for (const { documentId } of numbered(3)) {
      expect(results.filter((each) => each[documentId].success)).toHaveLength(1);
    }
  });
});

describe("grants stored before the document exists", () => {
  afterEach(() => vi.restoreAllMocks());

  it("become active when the document is added", async () => {
    const as = await newOrganization();
    await give(as, "ann", onDocument("d", { accessRole: "viewer" }));
    expect(await documentsOf(as, "d")).toEqual([]);
    await addDocuments(as, undefined, "d");
    expect(await onOne(as, "ann", "d")).toMatchObject({ accessRole: "viewer" });
  });

  it("become active also when they are stored between the call's read and its write", async () => {
    const as = await newOrganization();
    await addDocuments(as, undefined, "taken");
    let races = 0;
    interceptStore(async (command) => {
      if (command.constructor.name !== "TransactWriteCommand" || races++ > 0) return;
      await give(as, "ann", onDocument("d", { accessRole: "viewer" }));
    });
    const documents = [{ documentId: "d" }, { documentId: "e" }, { documentId: "taken" }];
    const event = eventOf(documentsAdd, { as, data: { organizationId, documents } });
    const reply = await handler(event as never, contextOf("documents-add") as never);
    expect(JSON.parse(reply.body).result.data).toMatchObject({
      d: { success: true },
      e: { success: true },
      taken: { success: false, code: "already-exists" },
    });
    expect(await onOne(as, "ann", "d")).toMatchObject({ accessRole: "viewer" });
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has", async () => {
    await newOrganization();
    const data = { organizationId, documents: numbered(1) };
    expect((await call(documentsAdd, { as: await newWorkspace(), data })).error?.status).toBe("INVALID_ARGUMENT");
  });

  it("is returned for an empty list, 1,001 documents and invalid fields, and nothing is added", async () => {
    const as = await newOrganization();
    for (const documents of [[], numbered(1_001), [{}], [{ documentId: 7 }], [{ documentId: "a\u0000" }], undefined]) {
      const { error } = await call(documentsAdd, { as, data: { organizationId, documents } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
    expect((await must(documentsGet, { as, data: { organizationId } })).documents).toEqual([]);
  });
});

describe("AWS calls", () => {
  it("makes two reads, one of the folders above, and one transaction", async () => {
    const ref = { ...mockedOrganization, folderId: "f" };
    const folder = folderEntity.put(ref, { organizationId, folderId: "f", ancestors: ["top"], createdAt: "" }).put;
    const top = { organizationId, folderId: "top", ancestors: [], createdAt: "" };
    const aws = mockAws([...mocked.rows, folder, folderEntity.put({ ...ref, folderId: "top" }, top).put]);
    await callSource(handler, documentsAdd, { organizationId, folderId: "f", documents: [{ documentId: "d" }] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      `BatchGet ${keyText.folder("f")}, W#w#O#o ORG, ${keyText.document("d")}`,
      `BatchGet ${keyText.folder("top")}, W#w#O#o ORG`,
      `TransactWrite Put ${keyText.document("d")} if absent, Put W#w#DOC#d o, Put W#w#O#o#C#f D#d`,
    ]);
    aws.restore();
  });

  it("with an Idempotency-Key in a warm container are a claim, one read, one transaction and the reply", async () => {
    const aws = mockAws([
      ...mocked.rows,
      organizationEntity.put(mockedOrganization, { organizationId, organizationUid: "x", revision: 0, createdAt: "" })
        .put,
    ]);
    const addWithKey = (documentId: string) => {
      const data = { organizationId, documents: [{ documentId }] };
      const event = eventOf(documentsAdd, { as: mocked.as, data, headers: { "idempotency-key": documentId } });
      return handler(event as never, contextOf("documents-add") as never);
    };
    await addWithKey("first");
    aws.dynamo.resetHistory();
    expect((await addWithKey("d")).statusCode).toBe(200);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^Put W#w#I#\d+ \w{64} if absent$/),
      `BatchGet W#w SETTING#webhooks, ${keyText.document("d")}, W#w#O#o ORG`,
      expect.stringMatching(/^TransactWrite Put .* if absent/),
      expect.stringMatching(/^Update W#w#I#\d+ \w{64} if \{claimId\}$/),
      // Of the first call: both calls seal with one data key.
      "GenerateDataKey",
    ]);
    aws.restore();
  });
});
