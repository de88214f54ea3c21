import { describe, expect, it } from "vitest";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { handler, organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import { callSource, issuesOf, mocked, oddIds } from "../../support/workspace.ts";

const add = (as: Awaited<ReturnType<typeof newWorkspace>>, ...ids: string[]) =>
  must(organizationsAdd, { as, data: { organizations: ids.map((organizationId) => ({ organizationId })) } });

describe("OK", () => {
  it("adds organizations with any id", async () => {
    const as = await newWorkspace();
    const data = await add(as, ...oddIds);
    expect(Object.keys(data).sort()).toEqual([...oddIds].sort());
    for (const organizationId of oddIds) await must(documentsGet, { as, data: { organizationId } });
  });

  it("reports an existing organization per item, and counts a repeated id once", async () => {
    const as = await newWorkspace();
    await add(as, "old");
    expect(await add(as, "new", "old", "new")).toEqual({
      new: { success: true, id: "new", message: "Organization added." },
      old: { success: false, id: "old", code: "already-exists", message: "The organization already exists." },
    });
  });

  it("adds organizations to the caller's workspace only", async () => {
    await add(await newWorkspace(), "o");
    const { error } = await call(documentsGet, { as: await newWorkspace(), data: { organizationId: "o" } });
    expect(error?.status).toBe("INVALID_ARGUMENT");
  });

  it("accepts 1,000 organizations in one call", async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `o${index}`);
    const data = await add(await newWorkspace(), ...ids);
    expect(Object.values(data).filter((each) => (each as { success: boolean }).success)).toHaveLength(1_000);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("lists every invalid field", async () => {
    const organizations = [{}, { organizationId: "" }, "o"];
    const paths = await issuesOf(organizationsAdd, await newWorkspace(), { organizations });
    expect(paths).toEqual(["organizations.0.organizationId", "organizations.1.organizationId", "organizations.2"]);
  });

  it("is returned for 1,001 organizations", async () => {
    const organizations = Array.from({ length: 1_001 }, (_, index) => ({ organizationId: `o${index}` }));
    const { error } = await call(organizationsAdd, { as: await newWorkspace(), data: { organizations } });
    expect(error?.status).toBe("INVALID_ARGUMENT");
  });
});

describe("AWS calls", () => {
  it("reads the credentials, then the organizations, and makes one transaction", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, organizationsAdd, { organizations: [{ organizationId: "a" }, { organizationId: "b" }] });
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      "BatchGet W#w#O#a ORG, W#w#O#b ORG",
      "TransactWrite Put W#w#O#a ORG if absent, Put W#w#ORGS#0 a, Put W#w#O#b ORG if absent, Put W#w#ORGS#9 b",
    ]);
    aws.restore();
  });
});
