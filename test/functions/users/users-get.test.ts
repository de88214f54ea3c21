import { describe, expect, it } from "vitest";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { handler, usersGet } from "../../../functions/users/users-get.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

type Users = { userId: string }[];
const get = (as: Credentials, more: object = {}) => must(usersGet, { as, data: { organizationId: "o", ...more } });
const idsOf = (users: Users) => users.map(({ userId }) => userId);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);
const add = (as: Credentials, ids: string[], organizationId = "o") =>
  must(usersAdd, { as, data: { organizationId, users: ids.map((userId) => ({ userId })) } });

/** Every page from the first to the last. */
async function pagesOf(as: Credentials, more: object = {}): Promise<string[][]> {
  const pages: string[][] = [];
  let pageToken: string | null = null;
  do {
    const page: { users: Users; nextPageToken: string | null } = await get(as, { ...more, pageToken });
    pages.push(idsOf(page.users));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return pages;
}

async function withPages() {
  const as = await f.newOrganization();
  await add(as, numbered(3));
  return { as, token: (await get(as, { pageSize: 1 })).nextPageToken as string };
}

describe("OK", () => {
  it("lists 250 users exactly once, 50 a page", async () => {
    const as = await f.newOrganization();
    await add(as, numbered(250));
    const pages = await pagesOf(as);
    expect(Math.max(...pages.map(({ length }) => length))).toBe(50);
    expect(pages.flat().toSorted()).toEqual(numbered(250).toSorted());
  });

  it.each([1, 7])("returns pages of %i without deleted users, and null as the last token", async (pageSize) => {
    const as = await f.newOrganization();
    await add(as, numbered(40));
    const deleted = numbered(40).filter((_, index) => index % 3 === 0);
    await must(usersDelete, { as, data: { organizationId: "o", userIds: deleted } });
    const pages = await pagesOf(as, { pageSize });
    expect(pages.every(({ length }) => length <= pageSize)).toBe(true);
    expect(pages.flat().toSorted()).toEqual(
      numbered(40)
        .filter((id) => !deleted.includes(id))
        .toSorted(),
    );
  });

  it("returns no token with the last user", async () => {
    const as = await f.newOrganization();
    await add(as, numbered(10));
    expect((await get(as, { pageSize: 10 })).nextPageToken).toBeNull();
  });

  it("returns requested users once each in the requested order, and omits unknown ones", async () => {
    const as = await f.newOrganization();
    await add(as, numbered(4));
    const { users, nextPageToken } = await get(as, { userIds: ["u3", "no", "u1", "u3"] });
    expect([idsOf(users), nextPageToken]).toEqual([["u3", "u1"], null]);
  });

  it("limits a page of requested users by its size, and takes no page token of another list for it", async () => {
    const as = await f.newOrganization();
    await add(as, numbered(4));
    const data = { userIds: ["u3", "no", "u1", "u0", "none"], pageSize: 2 };
    const first = await get(as, data);
    expect(idsOf(first.users)).toEqual(["u3", "u1"]);
    const second = await get(as, { ...data, pageToken: first.nextPageToken });
    expect([idsOf(second.users), second.nextPageToken]).toEqual([["u0"], null]);
    const { nextPageToken } = await get(as, { pageSize: 1 });
    for (const wrong of [
      { ...data, pageToken: nextPageToken },
      { ...data, userIds: ["u3"], pageToken: first.nextPageToken },
      { pageToken: first.nextPageToken },
    ]) {
      expect(await f.issuesOf(usersGet, as, { organizationId: "o", ...wrong })).toEqual(["pageToken"]);
    }
  });

  it("accepts any id", async () => {
    const as = await f.newOrganization();
    await add(as, f.oddIds);
    expect(idsOf((await get(as, { userIds: f.oddIds })).users)).toEqual(f.oddIds);
  });

  it("returns no role, and isAdmin as false, when the grant has expired", async () => {
    const as = await f.newOrganization();
    const users = [{ userId: "u", name: "Ada", isAdmin: true, expiresAt: 1 }];
    await must(usersAdd, { as, data: { organizationId: "o", users } });
    expect((await get(as)).users).toEqual([{ userId: "u", name: "Ada", isAdmin: false }]);
  });

  it("never returns users of another organization or workspace", async () => {
    const [alice, bob] = [await f.newOrganization(), await f.newOrganization()];
    await must(organizationsAdd, { as: alice, data: { organizations: [{ organizationId: "o2" }] } });
    await add(alice, ["u"], "o2");
    expect((await get(alice, { userIds: ["u"] })).users).toEqual([]);
    expect((await get(alice)).users).toEqual([]);
    expect((await get(bob, { userIds: ["u"] })).users).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([{}, { userIds: ["u"] }])("is returned for a missing organization, with %j", async (more) => {
    const reply = await call(usersGet, { as: await newWorkspace(), data: { organizationId: "o", ...more } });
    expect(reply).toMatchObject({ status: 400, error: { status: "INVALID_ARGUMENT" } });
  });

  it("is returned for a page token of another workspace, organization or endpoint", async () => {
    const [{ as, token: pageToken }, { token: foreign }] = [await withPages(), await withPages()];
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "o2" }] } });
    await f.addDocuments(as, undefined, "a", "b");
    const documents = await must(documentsGet, { as, data: { organizationId: "o", pageSize: 1 } });
    expect(await f.issuesOf(usersGet, as, { organizationId: "o", pageToken: foreign })).toEqual(["pageToken"]);
    expect(await f.issuesOf(usersGet, as, { organizationId: "o2", pageToken })).toEqual(["pageToken"]);
    const other = { organizationId: "o", pageToken: documents.nextPageToken };
    expect(await f.issuesOf(usersGet, as, other)).toEqual(["pageToken"]);
  });

  it("is returned for a changed, truncated or forged page token", async () => {
    const { as, token } = await withPages();
    const flipped = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
    for (const pageToken of [flipped, token.slice(0, -4), token.slice(0, 20), "x", "u0", `${token}AAAA`]) {
      expect(await f.issuesOf(usersGet, as, { organizationId: "o", pageToken })).toEqual(["pageToken"]);
    }
  });

  it("is returned for an invalid page token before the organization is read", async () => {
    const data = { organizationId: "missing", pageToken: "x" };
    expect(await f.issuesOf(usersGet, await newWorkspace(), data)).toEqual(["pageToken"]);
  });

  it.each([
    ["an empty list of ids", { userIds: [] }, ["userIds"]],
    ["101 ids", { userIds: Array(101).fill("u") }, ["userIds"]],
    ["a page size of 0", { pageSize: 0 }, ["pageSize"]],
    ["a page size of 101", { pageSize: 101 }, ["pageSize"]],
    ["a page size of 1.5", { pageSize: 1.5 }, ["pageSize"]],
  ])("is returned for %s", async (_what, more, paths) => {
    expect(await f.issuesOf(usersGet, await newWorkspace(), { organizationId: "o", ...more })).toEqual(paths);
  });
});

describe("AWS calls", () => {
  const authenticate = `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}`;

  it("reads users and organization in one request", async () => {
    const aws = mockAws(f.mocked.rows);
    expect(await f.callSource(handler, usersGet, { organizationId: "o", userIds: ["u"] })).toBe(200);
    expect(aws.calls()).toEqual([authenticate, `BatchGet W#w#O#o ORG, ${f.keyText.user("u")}`]);
    aws.restore();
  });

  it("reads each of the 16 shards of a short list once", async () => {
    const aws = mockAws(f.mocked.rows);
    expect(await f.callSource(handler, usersGet, { organizationId: "o" })).toBe(200);
    const queries = aws.calls().filter((line) => line.startsWith("Query"));
    expect(queries).toEqual(Array.from({ length: 16 }, (_, shard) => `Query W#w#O#o#U#${shard}`));
    aws.restore();
  });
});
