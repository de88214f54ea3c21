import { beforeAll, describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsGet, handler } from "../../../functions/documents/documents-get.ts";
import { foldersGet } from "../../../functions/folders/folders-get.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { documentMetadataEntity } from "../../../lib/store/content/document-metadata.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { allPages, expectRefused, forged } from "../../support/paging.ts";
import {
  addDocuments,
  addFolders,
  callSource,
  give,
  keyText,
  mocked,
  mockedDocument,
  newOrganization,
  onDocument,
  organizationId,
} from "../../support/workspace.ts";

const listing = { endpoint: documentsGet, member: "documents" };
const atRoot = Array.from({ length: 60 }, (_, index) => `root ${index}`);
const inFolder = Array.from({ length: 25 }, (_, index) => `f ${index}`);
let as: Credentials;

beforeAll(async () => {
  as = await newOrganization();
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "other" }] } });
  await addFolders(as, { folderId: "f" }, { folderId: "g", parentFolderId: "f" });
  await addDocuments(as, undefined, ...atRoot);
  await addDocuments(as, "f", ...inFolder);
  await addDocuments(as, "g", "deeper");
  await give(as, "ann", onDocument("reserved"));
});

const tokenOf = async (data: object) =>
  (await must(documentsGet, { as, data: { organizationId, pageSize: 5, ...data } })).nextPageToken as string;

describe("OK", () => {
  it.each([1, 7, 86, 100])(
    "lists every document of the organization exactly once, in pages of %i",
    async (pageSize) => {
      const data = { organizationId, pageSize };
      const found = await allPages(listing, as, data);
      expect(found.map(({ documentId }) => documentId).sort()).toEqual([...atRoot, ...inFolder, "deeper"].sort());
    },
  );

  it.each([4, 25, 100])("lists the documents directly in a folder exactly once, in pages of %i", async (pageSize) => {
    const data = { organizationId, folderId: "f", pageSize };
    const found = await allPages(listing, as, data);
    expect(found.map(({ documentId }) => documentId).sort()).toEqual([...inFolder].sort());
    expect(new Set(found.map(({ folderId }) => folderId))).toEqual(new Set(["f"]));
  });

  it("returns requested documents once each in the requested order, and omits missing ones", async () => {
    const documentIds = ["f 3", "missing", "root 9", "f 3", "reserved"];
    const { documents, nextPageToken } = await must(documentsGet, { as, data: { organizationId, documentIds } });
    expect(documents.map(({ documentId }: { documentId: string }) => documentId)).toEqual(["f 3", "root 9"]);
    expect(nextPageToken).toBeNull();
  });

  it("returns requested documents only from the requested folder", async () => {
    const documentIds = ["deeper", "root 9", "f 3", "missing", "f 1"];
    const listed = async (folderId: string) => {
      const found = await allPages(listing, as, { organizationId, documentIds, folderId, pageSize: 1 });
      return found.map(({ documentId }) => documentId);
    };
    expect(await listed("f")).toEqual(["f 3", "f 1"]);
    expect(await listed("g")).toEqual(["deeper"]);
  });

  it("limits a page of named documents by its size, and returns no token when no other exists", async () => {
    const own = await newOrganization();
    await addDocuments(own, undefined, "a", "b", "c");
    const sizes = async (documentIds: string[], pageSize: number) => {
      const pages = [];
      for (let pageToken: string | null | undefined; pageToken !== null; ) {
        const page = await must(documentsGet, { as: own, data: { organizationId, documentIds, pageSize, pageToken } });
        pages.push(page.documents.length);
        pageToken = page.nextPageToken as string | null;
      }
      return pages;
    };
    expect(await sizes(["a", "no", "b", "c"], 2)).toEqual([2, 1]);
    expect(await sizes(["a", "b", "no", "none"], 2)).toEqual([2]);
  });

  it("returns no documents for another organization", async () => {
    for (const data of [{ organizationId: "other" }, { organizationId: "other", documentIds: ["f 3"] }]) {
      expect(await must(documentsGet, { as, data })).toEqual({ documents: [], nextPageToken: null });
    }
  });

  it("ends a page before the reply is too large, and continues on the next page", async () => {
    const rich = await newOrganization();
    await addFolders(rich, { folderId: "f" });
    const metadata = { a: "x".repeat(8_000) };
    const documentIds = Array.from({ length: 90 }, (_, index) => `d${index}`);
    for (const part of [documentIds.slice(0, 45), documentIds.slice(45)]) {
      const documents = part.map((documentId) => ({ documentId, documentName: "\u{1F98C}".repeat(16_384), metadata }));
      await must(documentsAdd, { as: rich, data: { organizationId, folderId: "f", documents } });
    }
    for (const filter of [{}, { folderId: "f" }, { documentIds }]) {
      const data = { organizationId, pageSize: 100, ...filter };
      const first = await call(documentsGet, { as: rich, data });
      expect(Buffer.byteLength(JSON.stringify(first.body))).toBeLessThan(5_200_000);
      const found = await allPages(listing, rich, data);
      expect(found.map(({ documentId }) => documentId).sort()).toEqual([...documentIds].sort());
    }
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing folder, and for one of another organization", async () => {
    for (const data of [
      { organizationId, folderId: "nowhere" },
      { organizationId: "other", folderId: "f" },
    ]) {
      const { error } = await call(documentsGet, { as, data });
      expect(error).toEqual({ status: "NOT_FOUND", message: "The folder does not exist." });
    }
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has", async () => {
    for (const filter of [{}, { folderId: "f" }, { documentIds: ["f 3"] }]) {
      const { error } = await call(documentsGet, { as: await newWorkspace(), data: { organizationId, ...filter } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
  });

  it("is returned for a page token of another folder, organization, list or workspace", async () => {
    const stranger = await newOrganization();
    const token = await tokenOf({});
    const inF = await tokenOf({ folderId: "f" });
    const wrong = [
      { organizationId, folderId: "f", pageToken: token },
      { organizationId: "other", pageToken: token },
      { organizationId, pageToken: inF },
      { organizationId, folderId: "g", pageToken: inF },
      { organizationId, documentIds: ["f"], pageToken: inF },
    ];
    for (const data of wrong) await expectRefused(listing, as, data);
    await expectRefused(listing, stranger, { organizationId, pageToken: token });
    await expectRefused({ ...listing, endpoint: foldersGet }, as, { organizationId, pageToken: token });
  });

  it("is returned for a forged or truncated page token", async () => {
    for (const pageToken of forged(await tokenOf({}))) await expectRefused(listing, as, { organizationId, pageToken });
  });

  it("is returned for a page size out of bounds and for more than 100 ids", async () => {
    const documentIds = Array.from({ length: 101 }, (_, index) => `d${index}`);
    for (const data of [{ pageSize: 0 }, { pageSize: 101 }, { pageSize: 1.5 }, { documentIds }, { documentIds: [] }]) {
      const { error } = await call(documentsGet, { as, data: { organizationId, ...data } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
  });
});

describe("AWS calls", () => {
  it("reads the organization and the documents in one request after the credentials", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, documentsGet, { organizationId, documentIds: ["d"] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/),
      `BatchGet W#w#O#o ORG, ${keyText.document("d")}`,
    ]);
    aws.restore();
  });

  it("have one more request for the metadata of those documents that have some", async () => {
    const ref = { workspace: "w", documentUid: "uid-of-d" as DocumentUid };
    const { put } = documentMetadataEntity.put(ref, { metadata: '{"a":1}' });
    const documents = [mockedDocument("d", { documentUid: ref.documentUid, hasMetadata: true }), mockedDocument("e")];
    const aws = mockAws([...mocked.rows, ...documents, put]);
    await callSource(handler, documentsGet, { organizationId, documentIds: ["d", "e"] });
    expect(aws.calls().slice(-2)).toEqual([
      expect.stringContaining(keyText.document("d")),
      "Get W#w#X#uid-of-d METADATA",
    ]);
    aws.restore();
  });
});
