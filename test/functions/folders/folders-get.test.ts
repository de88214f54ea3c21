import { beforeAll, describe, expect, it } from "vitest";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { foldersGet, handler } from "../../../functions/folders/folders-get.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { allPages, expectRefused, forged } from "../../support/paging.ts";
import {
  addDocuments,
  addFolders,
  callSource,
  mocked,
  newOrganization,
  organizationId,
} from "../../support/workspace.ts";

const listing = { endpoint: foldersGet, member: "folders" };
const atRoot = Array.from({ length: 40 }, (_, index) => `root ${index}`);
const below = Array.from({ length: 20 }, (_, index) => `below ${index}`);
let as: Credentials;

beforeAll(async () => {
  as = await newOrganization();
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "other" }] } });
  await addFolders(as, ...atRoot.map((folderId) => ({ folderId, folderName: folderId, accessType: "public" })));
  await addFolders(as, ...below.map((folderId) => ({ folderId, parentFolderId: "root 0" })));
  await addFolders(as, { folderId: "deeper", parentFolderId: "below 0" });
  await addDocuments(as, "root 0", "a document");
});

const tokenOf = async (data: object) =>
  (await must(foldersGet, { as, data: { organizationId, pageSize: 5, ...data } })).nextPageToken as string;

describe("OK", () => {
  it.each([1, 7, 61, 100])("lists every folder of the organization exactly once, in pages of %i", async (pageSize) => {
    const data = { organizationId, pageSize };
    const found = await allPages(listing, as, data);
    expect(found.map(({ folderId }) => folderId).sort()).toEqual([...atRoot, ...below, "deeper"].sort());
  });

  it.each([3, 20, 100])("lists the folders directly in a folder exactly once, in pages of %i", async (pageSize) => {
    const data = { organizationId, parentFolderId: "root 0", pageSize };
    const found = await allPages(listing, as, data);
    expect(found.map(({ folderId }) => folderId).sort()).toEqual([...below].sort());
  });

  it("returns a folder's own fields, and none that it inherits", async () => {
    const { folders } = await must(foldersGet, { as, data: { organizationId, parentFolderId: "below 0" } });
    expect(folders).toEqual([{ folderId: "deeper", parentFolderId: "below 0", createdAt: expect.any(String) }]);
    const everything = { organizationId, pageSize: 100 };
    const all = await allPages(listing, as, everything);
    expect(all).toContainEqual(expect.objectContaining({ folderName: "root 3", accessType: "public" }));
  });

  it("returns no folders for an empty organization", async () => {
    const data = { organizationId: "other" };
    expect(await must(foldersGet, { as, data })).toEqual({ folders: [], nextPageToken: null });
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing parent folder, and for one of another organization", async () => {
    for (const data of [
      { organizationId, parentFolderId: "nowhere" },
      { organizationId: "other", parentFolderId: "root 0" },
    ]) {
      const { error } = await call(foldersGet, { as, data });
      expect(error).toEqual({ status: "NOT_FOUND", message: "The folder does not exist." });
    }
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has", async () => {
    for (const filter of [{}, { parentFolderId: "root 0" }]) {
      const { error } = await call(foldersGet, { as: await newWorkspace(), data: { organizationId, ...filter } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
  });

  it("is returned for a page token of another folder, organization, list or workspace", async () => {
    const stranger = await newOrganization();
    const token = await tokenOf({});
    const inRoot = await tokenOf({ parentFolderId: "root 0" });
    const wrong = [
      { organizationId, parentFolderId: "root 0", pageToken: token },
      { organizationId: "other", pageToken: token },
      { organizationId, pageToken: inRoot },
      { organizationId, parentFolderId: "root 1", pageToken: inRoot },
    ];
    for (const data of wrong) await expectRefused(listing, as, data);
    await expectRefused(listing, stranger, { organizationId, pageToken: token });
    await expectRefused({ ...listing, endpoint: documentsGet }, as, {
      organizationId,
      folderId: "root 0",
      pageToken: inRoot,
    });
  });

  it("is returned for a forged or truncated page token", async () => {
    for (const pageToken of forged(await tokenOf({}))) await expectRefused(listing, as, { organizationId, pageToken });
  });

  it("is returned for a page size out of bounds", async () => {
    for (const pageSize of [0, 101, "10"]) {
      const { error } = await call(foldersGet, { as, data: { organizationId, pageSize } });
      expect(error?.status).toBe("INVALID_ARGUMENT");
    }
  });
});

describe("AWS calls", () => {
  it("reads each shard of a short list once, and the organization once", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, foldersGet, { organizationId });
    const [credentials, ...rest] = aws.calls();
    expect(credentials).toMatch(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/);
    const shards = Array.from({ length: 16 }, (_, shard) => `Query W#w#O#o#F#${shard}`);
    expect(rest.sort()).toEqual(["Get W#w#O#o ORG", ...shards].sort());
    aws.restore();
  });
});
