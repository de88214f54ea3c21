import { describe, expect, it } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { handler, organizationsGet } from "../../../functions/organizations/organizations-get.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

interface Shown {
  organizationId: string;
}

const add = (as: Credentials, ...organizationIds: string[]) =>
  must(organizationsAdd, {
    as,
    data: { organizations: organizationIds.map((organizationId) => ({ organizationId })) },
  });
const get = (as: Credentials, data: object = {}) => must(organizationsGet, { as, data });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`);

/** The ids of every page, from the first to the last. */
async function pagesOf(as: Credentials, data: object = {}): Promise<string[][]> {
  const pages: string[][] = [];
  let pageToken: string | null = null;
  do {
    const page: { organizations: Shown[]; nextPageToken: string | null } = await get(as, { ...data, pageToken });
    pages.push(page.organizations.map(({ organizationId }) => organizationId));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return pages;
}

describe("OK", () => {
  it("lists the organizations with their names and times of creation", async () => {
    const as = await newWorkspace();
    await must(organizationsAdd, {
      as,
      data: { organizations: [{ organizationId: "o", organizationName: "Acme" }, { organizationId: "p" }] },
    });
    const { organizations, nextPageToken } = await get(as);
    expect(nextPageToken).toBeNull();
    expect(organizations).toHaveLength(2);
    expect(organizations).toContainEqual({
      organizationId: "o",
      organizationName: "Acme",
      createdAt: expect.stringMatching(/^20\d\d-.*Z$/),
    });
    expect(organizations).toContainEqual({ organizationId: "p", createdAt: expect.any(String) });
  });

  it("replies an empty list for a workspace without organizations", async () => {
    expect(await get(await newWorkspace())).toEqual({ organizations: [], nextPageToken: null });
  });

  it.each([1, 7, 100])("lists each organization once, %i a page", async (pageSize) => {
    const as = await newWorkspace();
    const ids = [...numbered(30), ...f.oddIds];
    await add(as, ...ids);
    const pages = await pagesOf(as, { pageSize });
    expect(pages.every(({ length }) => length <= pageSize)).toBe(true);
    expect(pages.flat().toSorted()).toEqual(ids.toSorted());
  });

  it("returns requested organizations in the requested order, and omits unknown ones", async () => {
    const as = await newWorkspace();
    await add(as, "a", "b", "c");
    const data = { organizationIds: ["c", "no", "a", "c"] };
    expect(await pagesOf(as, data)).toEqual([["c", "a"]]);
    expect((await pagesOf(as, { ...data, pageSize: 1 })).flat()).toEqual(["c", "a"]);
  });

  it("ends a page before it is too large for a reply", async () => {
    const as = await newWorkspace();
    const organizationName = "\u{1f99c}".repeat(16_000);
    const organizations = numbered(60).map((organizationId) => ({ organizationId, organizationName }));
    for (const some of [organizations.slice(0, 30), organizations.slice(30)]) {
      await must(organizationsAdd, { as, data: { organizations: some } });
    }
    const pages = await pagesOf(as, { pageSize: 100 });
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().toSorted()).toEqual(numbered(60).toSorted());
  });

  it("never returns organizations of another workspace", async () => {
    await add(await newWorkspace(), "o");
    const bob = await newWorkspace();
    expect((await get(bob)).organizations).toEqual([]);
    expect((await get(bob, { organizationIds: ["o"] })).organizations).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a page token of another list", async () => {
    const as = await newWorkspace();
    await add(as, "a", "b");
    const { nextPageToken: pageToken } = await get(as, { pageSize: 1 });
    expect(await f.issuesOf(organizationsGet, as, { organizationIds: ["a", "b"], pageToken })).toEqual(["pageToken"]);
    expect(await f.issuesOf(organizationsGet, await newWorkspace(), { pageToken })).toEqual(["pageToken"]);
  });

  it.each([
    ["an empty list of ids", { organizationIds: [] }, ["organizationIds"]],
    ["101 ids", { organizationIds: Array(101).fill("o") }, ["organizationIds"]],
    ["a page size of 101", { pageSize: 101 }, ["pageSize"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(organizationsGet, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("reads the named organizations in one request", async () => {
    const aws = mockAws(f.mocked.rows);
    expect(await f.callSource(handler, organizationsGet, { organizationIds: ["o", "p"] })).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}`,
      "BatchGet W#w#O#o ORG, W#w#O#p ORG",
    ]);
    aws.restore();
  });

  it("reads each of the 16 shards of a short list once", async () => {
    const aws = mockAws(f.mocked.rows);
    expect(await f.callSource(handler, organizationsGet, {})).toBe(200);
    const queries = aws.calls().filter((line) => line.startsWith("Query"));
    expect(queries).toEqual(Array.from({ length: 16 }, (_, shard) => `Query W#w#ORGS#${shard}`));
    aws.restore();
  });
});
