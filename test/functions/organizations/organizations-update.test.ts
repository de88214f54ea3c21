import { describe, expect, it } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { organizationsGet } from "../../../functions/organizations/organizations-get.ts";
import { handler, organizationsUpdate } from "../../../functions/organizations/organizations-update.ts";
import { getStored } from "../../../lib/store/content/organization-life.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const update = (as: Credentials, organizationName: string, organizationId = "o") =>
  must(organizationsUpdate, { as, data: { organizationId, organizationName } });
const nameOf = async (as: Credentials) =>
  (await must(organizationsGet, { as, data: { organizationIds: ["o"] } })).organizations[0].organizationName;
const stored = async ({ apiKey }: Credentials) => (await getStored({ workspace: apiKey }, ["o"]))[0];

describe("OK", () => {
  it("sets the name, and leaves the rest as it is", async () => {
    const as = await f.newOrganization();
    const before = await stored(as);
    expect(await update(as, "Acme")).toEqual({ organizationId: "o", organizationName: "Acme" });
    expect(await nameOf(as)).toBe("Acme");
    expect(await stored(as)).toEqual({ ...before, name: "Acme", revision: 1 });
  });

  it("writes nothing when the name is the same", async () => {
    const as = await f.newOrganization();
    await update(as, "Acme");
    await update(as, "Acme");
    expect(await stored(as)).toMatchObject({ revision: 1 });
  });

  it("sets an empty name", async () => {
    const as = await f.newOrganization();
    await update(as, "Acme");
    await update(as, "");
    expect(await nameOf(as)).toBe("");
  });

  it("accepts any id", async () => {
    const as = await newWorkspace();
    await must(organizationsAdd, {
      as,
      data: { organizations: f.oddIds.map((organizationId) => ({ organizationId })) },
    });
    for (const id of f.oddIds) expect(await update(as, "n", id)).toMatchObject({ organizationId: id });
  });

  it("applies concurrent updates one after the other", async () => {
    const as = await f.newOrganization();
    const names = ["a", "b", "c", "d", "e"];
    for (let round = 1; round <= 4; round++) {
      await Promise.all(names.map((name) => update(as, `${name}${round}`)));
      expect(names.map((name) => `${name}${round}`)).toContain(await nameOf(as));
    }
    expect(await stored(as)).toMatchObject({ revision: 20 });
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an organization that only another workspace has, which stays unchanged", async () => {
    const alice = await f.newOrganization();
    const data = { organizationId: "o", organizationName: "Bob's" };
    const reply = await call(organizationsUpdate, { as: await newWorkspace(), data });
    expect(reply).toMatchObject({ status: 400, error: { status: "INVALID_ARGUMENT" } });
    expect(await nameOf(alice)).toBeUndefined();
  });

  it.each([
    ["no name", { organizationId: "o" }, ["organizationName"]],
    ["a name that is null", { organizationId: "o", organizationName: null }, ["organizationName"]],
    ["a name that is no string", { organizationId: "o", organizationName: 7 }, ["organizationName"]],
    ["an empty request", {}, ["organizationId", "organizationName"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(organizationsUpdate, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("makes one read and one conditional write", async () => {
    const aws = mockAws(f.mocked.rows);
    const data = { organizationId: "o", organizationName: "Acme" };
    expect(await f.callSource(handler, organizationsUpdate, data)).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      "Get W#w#O#o ORG",
      "TransactWrite Update W#w#O#o ORG if {organizationUid & revision & no deletionJobId}",
    ]);
    aws.restore();
  });
});
