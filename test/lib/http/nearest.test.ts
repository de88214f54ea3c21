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

it.each([
  ["isNotEnabled", "isEnabled"],
  ["read", "unread"],
  ["unsubscribed", "subscribed"],
  ["nonInheritedAccess", "inheritedAccess"],
  ["noNotifications", "notifications"],
  ["excludeOrganizationIds", "organizationIds"],
  ["includeFolders", "excludeFolders"],
  ["withReactions", "withoutReactions"],
  ["oldDocumentId", "newDocumentId"],
  ["createdAt", "updatedAt"],
  ["createdBefore", "createdAfter"],
  ["inactivities", "activities"],
])("%s is the contrary of %s", (mistyped, name) => {
  expect(nearest(mistyped, [name])).toBeUndefined();
});

it("two wrong characters of eight are too many, and one of four is not", () => {
  expect(nearest("commits", ["comments"])).toBeUndefined();
  expect(nearest("nmae", ["name"])).toBe("name");
});

it("a name of megabytes is not compared, on either side", () => {
  const long = "aA".repeat(3.4e6);
  // Compared, it would take tens of seconds.
  expect(nearest("organizationId", [long, "orgId"])).toBe("orgId");
  expect(nearest(long, ["organizationId"])).toBeUndefined();
});

it("a shortened name is found by the whole one", () => {
  expect(nearest("organizationId", ["documentId", "orgId"])).toBe("orgId");
});

it("the name with the fewest edits is chosen, and none without known names", () => {
  expect(nearest("userIds", ["userId", "userIdx"])).toBe("userId");
  expect(nearest("userIdxs", ["userId", "userIdx"])).toBe("userIdx");
  expect(nearest("userId", [])).toBeUndefined();
});
