import { describe, expect, it, vi } from "vitest";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { presenceAdd } from "../../../functions/presence/presence-add.ts";
import { handler, presenceGet } from "../../../functions/presence/presence-get.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { allPages, expectRefused, forged } from "../../support/paging.ts";
import { enter, idsOn, newDocument, on, presentOn, rows } from "../../support/presence.ts";
import {
  addDocuments,
  callSource,
  give,
  issuesOf,
  keyText,
  newOrganization,
  onDocument,
  organizationId,
} from "../../support/workspace.ts";

const listing = { endpoint: presenceGet, member: "users" };
const numbered = (count: number, prefix = "u") => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const read = (as: Credentials, more: object) => call(presenceGet, { as, data: { ...on, ...more } });

fakeDates();

describe("OK", () => {
  it("lists each user exactly once, in pages of any size, with a token only when more follow", async () => {
    const as = await newDocument();
    await enter(as, numbered(23));
    for (const pageSize of [1, 7, 22, 23, 100]) {
      const found = await allPages(listing, as, { ...on, pageSize });
      expect(found.map(({ userId }) => userId).sort()).toEqual(numbered(23).sort());
    }
    expect((await must(presenceGet, { as, data: { ...on, pageSize: 23 } })).nextPageToken).toBeNull();
  });

  it("omits a user from the second at which the entry expires, also before the table deletes it", async () => {
    const as = await newDocument();
    await enter(as, ["ann"], { lifetimeSeconds: 60 });
    await enter(as, ["ben"]);
    const [{ expiresAt }] = await presentOn(as);
    vi.setSystemTime(expiresAt * 1_000 - 1);
    expect(await idsOn(as)).toEqual(["ann", "ben"]);
    later(0.001);
    expect(await idsOn(as)).toEqual(["ben"]);
    later(86_400);
    expect(await presentOn(as)).toEqual([]);
  });

  it("returns no token when only expired entries follow, more than a read has", async () => {
    const as = await newDocument();
    await enter(as, ["ann"]);
    await enter(as, numbered(150, "expired"), { lifetimeSeconds: 1 });
    later(2);
    const page = await must(presenceGet, { as, data: { ...on, pageSize: 1 } });
    expect([page.users.length, page.nextPageToken]).toEqual([1, null]);
  });

  it("fills pages with present users behind expired ones, and returns no token when nobody follows", async () => {
    const as = await newDocument();
    await enter(as, numbered(30, "expired"), { lifetimeSeconds: 1 });
    await enter(as, ["a", "b", "z"]);
    later(2);
    const first = await must(presenceGet, { as, data: { ...on, pageSize: 2 } });
    expect(first.users.map(({ userId }: { userId: string }) => userId)).toEqual(["a", "b"]);
    const found = await allPages(listing, as, { ...on, pageSize: 2 });
    expect(found.map(({ userId }) => userId)).toEqual(["a", "b", "z"]);
    const all = await must(presenceGet, { as, data: on });
    expect(all).toMatchObject({ users: [{}, {}, {}], nextPageToken: null });
  });

  it("fits 100 users with the largest metadata into one reply", async () => {
    const as = await newDocument();
    const users = numbered(100).map((userId) => ({ userId, metadata: { text: "🦜".repeat(1_000) } }));
    await must(presenceAdd, { as, data: { ...on, users } });
    expect((await must(presenceGet, { as, data: { ...on, pageSize: 100 } })).users).toHaveLength(100);
  });

  it("keeps documents separate, and finds none of them through another organization", async () => {
    const as = await newDocument();
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "other" }] } });
    await addDocuments(as, undefined, "e");
    await enter(as, ["ann"]);
    await enter(as, ["ben"], { documentId: "e" });
    expect(await idsOn(as)).toEqual(["ann"]);
    expect(await idsOn(as, "e")).toEqual(["ben"]);
    expect((await read(as, { organizationId: "other" })).error?.status).toBe("NOT_FOUND");
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document, a reserved document, and another workspace's", async () => {
    const as = await newDocument();
    await enter(as, ["ann"]);
    await give(as, "ann", onDocument("reserved"));
    for (const documentId of ["missing", "reserved"]) {
      const { error } = await read(as, { documentId });
      expect(error).toMatchObject({ status: "NOT_FOUND", message: expect.stringContaining("document") });
    }
    expect((await read(await newOrganization(), {})).error?.status).toBe("NOT_FOUND");
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a page token of another document, list or workspace, and a truncated or forged one", async () => {
    const [as, stranger] = [await newDocument(), await newDocument()];
    await addDocuments(as, undefined, "e");
    await enter(as, numbered(3));
    const data = { ...on, pageSize: 1 };
    const { nextPageToken: pageToken } = await must(presenceGet, { as, data });
    await expectRefused(listing, as, { ...data, documentId: "e", pageToken });
    await expectRefused(listing, stranger, { ...data, pageToken });
    await expectRefused({ ...listing, endpoint: documentsGet }, as, { organizationId, pageToken });
    for (const each of forged(pageToken)) await expectRefused(listing, as, { ...data, pageToken: each });
  });

  it("names the field of a page size out of bounds, and of invalid ids", async () => {
    const as = await newDocument();
    for (const pageSize of [0, 101, 1.5, "1"])
      expect(await issuesOf(presenceGet, as, { ...on, pageSize })).toEqual(["pageSize"]);
    expect(await issuesOf(presenceGet, as, { documentId: "" })).toEqual(["organizationId", "documentId"]);
  });
});

describe("AWS calls", () => {
  it("makes three reads with the credentials", async () => {
    const aws = mockAws(rows());
    expect(await callSource(handler, presenceGet, on)).toBe(200);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/),
      `BatchGet ${keyText.document("d")}, W#w#O#o ORG`,
      "Query W#w#X#x",
    ]);
    aws.restore();
  });
});
