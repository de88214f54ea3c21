import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { locationsUpdate } from "../../../functions/locations/locations-update.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { add, documentId, newDocument, placesOf, reaction, update } from "../../support/feature-data.ts";
import { storedOf } from "../../support/refusal.ts";
import { issuesOf, newOrganization } from "../../support/workspace.ts";

const [a, b] = [{ id: "a" }, { id: "b" }];

async function secondOrganization(as: Credentials): Promise<void> {
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "o2" }] } });
  await must(documentsAdd, { as, data: { organizationId: "o2", documents: [{ documentId }] } });
}

describe("NOT_FOUND", () => {
  it("is returned for a missing document, and one of another workspace", async () => {
    const [as, other] = [await newDocument(), await newOrganization()];
    for (const more of [{ documentId: "no" }, { documentId: "no", organizationId: undefined }])
      expect((await update(as, a, b, more)).error?.status).toBe("NOT_FOUND");
    for (const more of [{}, { organizationId: undefined }])
      expect((await update(other, a, b, more)).error?.status).toBe("NOT_FOUND");
  });
});

describe("ALREADY_EXISTS", () => {
  it("is returned for a taken identity without merge, and neither location changes", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("ra")] });
    await add(as, b, { reactions: [reaction("rb")] });
    expect(await update(as, a, b)).toMatchObject({ status: 409, error: { status: "ALREADY_EXISTS" } });
    expect((await update(as, a, b, { merge: false })).error?.status).toBe("ALREADY_EXISTS");
    expect(await placesOf(as)).toEqual({ ra: a, rb: b });
  });
});

describe("PERMISSION_DENIED", () => {
  it("is returned for invalid credentials in the data or another workspace's, and nothing is changed", async () => {
    const [as, other] = [await newDocument(), await newWorkspace()];
    const before = await storedOf(as);
    for (const [field, value] of [
      ["apiKey", "wrong"],
      ["apiKey", other.apiKey],
      ["apiKey", ""],
      ["authToken", "wrong"],
      ["authToken", other.authToken],
      ["authToken", ""],
    ] as const) {
      const { error } = await update(as, a, b, { [field]: value });
      expect(error).toEqual({ status: "PERMISSION_DENIED", message: `The field data.${field} is not valid.` });
    }
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("INVALID_ARGUMENT", () => {
  const bad: [string, object, string][] = [
    ["no id and no name", {}, ""],
    ["an empty name without an id", { locationName: "" }, ""],
    ["null names", { id: null, locationName: null }, ""],
    ["an empty id", { id: "", locationName: "a" }, ".id"],
    ["an id that is not a decimal number", { id: 1e30 }, ".id"],
    ["an id above 2^53", { id: 2 ** 53 }, ".id"],
    ["an id that is a flag", { id: true }, ".id"],
    ["a name that is a list", { id: "a", locationName: [] }, ".locationName"],
    ["over 16 KB", { id: "a", more: "x".repeat(16_400) }, ""],
  ];

  it.each(bad)("is returned for a location with %s", async (_, location, path) => {
    const as = await newWorkspace();
    for (const [name, reply] of [
      ["oldLocation", await update(as, location, a)],
      ["newLocation", await update(as, a, location)],
    ] as const) {
      expect(reply.error?.status).toBe("INVALID_ARGUMENT");
      const issues = reply.error?.details?.issues as { path: string[] }[];
      expect(issues.map((issue) => issue.path.join("."))).toEqual([`migrate.${name}${path}`]);
    }
  });

  it("is returned for a merge that makes a location over 16 KB", async () => {
    const as = await newDocument();
    await update(as, a, { id: "a", one: "x".repeat(10_000) });
    const { error } = await update(as, a, { id: "a", two: "x".repeat(10_000) }, { merge: true });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      details: { issues: [{ path: ["migrate", "newLocation"] }] },
    });
  });

  it("is returned for a missing organizationId when several organizations have the document", async () => {
    const as = await newDocument();
    await secondOrganization(as);
    const { error } = await update(as, a, b, { organizationId: undefined });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["organizationId"] }] } });
    expect((await update(as, a, b, { organizationId: "o2" })).error).toBeUndefined();
  });

  it("names each missing field", async () => {
    expect(await issuesOf(locationsUpdate, await newWorkspace(), { migrate: {} })).toEqual([
      "apiKey",
      "authToken",
      "documentId",
      "migrate.oldLocation",
      "migrate.newLocation",
    ]);
  });
});
