import { expect, it } from "vitest";
import { nearest } from "../../../lib/http/nearest.ts";

const known = ["folderId", "folderName", "parentFolderId", "organizationId", "accessType", "ids"];

it.each([
  ["foldername", "folderName"],
  ["folder_name", "folderName"],
  ["FolderId", "folderId"],
  ["flderName", "folderName"],
  ["folderNmae", "folderName"],
  ["organisationId", "organizationId"],
  ["acessTypes", "accessType"],
  ["orgId", "organizationId"],
  ["Org_Id", "organizationId"],
  ["parentFoldId", "parentFolderId"],
])("%s probably means %s", (mistyped, meant) => {
  expect(nearest(mistyped, known)).toBe(meant);
});

it.each([
  "",
  "x",
  "id",
  "orId",
  "orgName",
  "orgidId",
  "org",
  "acc",
  "name",
  "document",
  "description",
  "a".repeat(10_000),
])("%.20s means no known name", (mistyped) => {
  expect(nearest(mistyped, known)).toBeUndefined();
});

it("a name of megabytes is not compared, on either side", () => {
  const long = "aA".repeat(3.4e6);
  const startedAt = performance.now();
  expect(nearest("organizationId", [long, "orgId"])).toBe("orgId");
  expect(nearest(long, ["organizationId"])).toBeUndefined();
  // Compared, it takes tens of seconds.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

it("a shortened name is found by the whole one", () => {
  expect(nearest("organizationId", ["documentId", "orgId"])).toBe("orgId");
});

it("the name with the fewest edits is chosen, and none without known names", () => {
  expect(nearest("userIds", ["userId", "userIdx"])).toBe("userId");
  expect(nearest("userIdxs", ["userId", "userIdx"])).toBe("userIdx");
  expect(nearest("userId", [])).toBeUndefined();
});
