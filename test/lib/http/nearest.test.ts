import { beforeAll, expect, it } from "vitest";
import { named } from "../../../infra/deployables.ts";
import { nearestPath, suggestPaths } from "../../../lib/http/nearest.ts";
import { nearest } from "../../../lib/schema/nearest.ts";

const known = ["folderId", "folderName", "parentFolderId", "organizationId", "accessType", "ids"];
const paths = named.map(({ path }) => path);

beforeAll(() => {
  suggestPaths(paths);
  return () => suggestPaths([]);
});

it.each([
  ["foldername", "folderName"],
  ["folder_name", "folderName"],
  ["FolderId", "folderId"],
  ["flderName", "folderName"],
  ["folderNmae", "folderName"],
  ["organisationId", "organizationId"],
  ["acessTypes", "accessType"],
])("%s probably means %s", (mistyped, meant) => {
  expect(nearest(mistyped, known)).toBe(meant);
});

it.each(["", "x", "id", "org", "name", "document", "description", "a".repeat(10_000)])(
  "%.20s means no known name",
  (mistyped) => {
    expect(nearest(mistyped, known)).toBeUndefined();
  },
);

it.each([
  ["isNotEnabled", "isEnabled"],
  ["read", "unread"],
  ["createdAt", "updatedAt"],
  ["createdBefore", "createdAfter"],
])("%s is not near %s", (mistyped, name) => {
  expect(nearest(mistyped, [name])).toBeUndefined();
});

it("two wrong characters of eight are too many, and one of four is not", () => {
  expect(nearest("commits", ["comments"])).toBeUndefined();
  expect(nearest("nmae", ["name"])).toBe("name");
});

it("a text of 200 characters is compared, and a longer one is not", () => {
  const long = "ab".repeat(100);
  expect(nearest(`x${long.slice(1)}`, [long])).toBe(long);
  expect(nearest(`x${long}`, [long])).toBeUndefined();
  expect(nearest(long, [`x${long}`])).toBeUndefined();
});

it("a text of megabytes is not compared, on either side", () => {
  const long = "aA".repeat(3.4e6);
  // Compared, it would take tens of seconds.
  expect(nearest("organizationId", [long, "organisationId"])).toBe("organisationId");
  expect(nearest(long, ["organizationId"])).toBeUndefined();
  expect(nearestPath(`/v2${"/".repeat(1_000_000)}users/get`)).toBeUndefined();
});

it("the name with the fewest edits is chosen, and none without known names", () => {
  expect(nearest("userIds", ["userId", "userIdx"])).toBe("userId");
  expect(nearest("userIdxs", ["userId", "userIdx"])).toBe("userIdx");
  expect(nearest("userId", [])).toBeUndefined();
});

it.each([
  ["/v2/user/get", "/v2/users/get"],
  ["/users/get", "/v2/users/get"],
  ["/v3/users/get", "/v2/users/get"],
  ["/V2/Users/Get/", "/v2/users/get"],
  ["/v2/comment-annotations/update", "/v2/commentannotations/update"],
  ["/v2/organisations/folder/get", "/v2/organizations/folders/get"],
  ["/v2/users/ad", "/v2/users/add"],
  ["/v2/users/gte", "/v2/users/get"],
  ["/v2/users/gett", "/v2/users/get"],
  ["/v2/notifications/config/ste", "/v1/notifications/config/set"],
])("the path %s probably means %s", (path, meant) => {
  expect(nearestPath(path)).toBe(meant);
});

it.each([
  ...["/", "", "/get", "/v2", "/v2/add", "/favicon.ico"],
  ...["/v2/organizations/widgets/delete", "/v2/presence/update", "/v2/users/list", "/v2/users/create"],
  ...["/v2/data/get", `/v2/${"users/get/".repeat(1_000)}`],
])("the path %.30s means no known path", (path) => {
  expect(nearestPath(path)).toBeUndefined();
});

it("no known path is suggested in place of another", () => {
  for (const path of paths.filter((each) => !each.includes("{"))) expect(nearestPath(path)).toBe(path);
});
