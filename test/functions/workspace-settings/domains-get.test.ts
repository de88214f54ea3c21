import { beforeAll, describe, expect, it } from "vitest";
import { domainsAdd } from "../../../functions/workspace-settings/domains-add.ts";
import { domainsGet, handler } from "../../../functions/workspace-settings/domains-get.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { expectRefused, forged } from "../../support/paging.ts";
import { callSource, issuesOf, mocked } from "../../support/workspace.ts";

const domains = Array.from({ length: 100 }, (_, index) => `d${index}.com`);
let as: Credentials;

beforeAll(async () => {
  as = await newWorkspace();
  await must(domainsAdd, { as, data: { domains } });
  await must(domainsAdd, { as, data: { domains: ["*.example.com", "localhost"] } });
});

const tokenOf = async () => (await must(domainsGet, { as, data: { pageSize: 5 } })).nextPageToken as string;

describe("OK", () => {
  it.each([1, 34, 51, 100])("lists every domain exactly once, sorted by name, in pages of %i", async (pageSize) => {
    const found: string[] = [];
    let pageToken: string | null = null;
    let pages = 0;
    do {
      const page = await must(domainsGet, { as, data: { pageSize, pageToken } });
      expect(page.domains.length).toBeLessThanOrEqual(pageSize);
      found.push(...page.domains);
      pageToken = page.nextPageToken;
      pages += 1;
    } while (pageToken !== null);
    expect(found).toEqual([...domains, "*.example.com", "localhost"].sort());
    expect(pages).toBe(Math.ceil(102 / pageSize));
  });

  it("returns an empty list for a workspace without domains", async () => {
    expect(await must(domainsGet, { as: await newWorkspace() })).toEqual({ domains: [], nextPageToken: null });
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for a forged page token, and for one of another workspace", async () => {
    const listing = { endpoint: domainsGet, member: "domains" };
    const token = await tokenOf();
    for (const pageToken of forged(token)) await expectRefused(listing, as, { pageToken });
    await expectRefused(listing, await newWorkspace(), { pageToken: token });
  });

  it("is returned for a page size out of bounds", async () => {
    for (const pageSize of [0, 101, 1.5]) expect(await issuesOf(domainsGet, as, { pageSize })).toEqual(["pageSize"]);
  });
});

describe("AWS calls", () => {
  it("makes one query after the read of the credentials", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, domainsGet, {});
    expect(aws.calls()).toEqual([expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/), "Query W#w"]);
    aws.restore();
  });
});
