import { beforeAll, expect, it } from "vitest";
import { endpoints } from "../../../infra/deployables.ts";
import { nearestPath, suggestPaths } from "../../../lib/http/nearest-path.ts";

const paths = endpoints.filter(({ group }) => group !== "fallback").map(({ path }) => path);

beforeAll(() => {
  suggestPaths(paths);
  return () => suggestPaths([]);
});

it.each([
  ["/v2/user/get", "/v2/users/get"],
  ["/users/get", "/v2/users/get"],
  ["/v3/users/get", "/v2/users/get"],
  ["/V2/Users/Get/", "/v2/users/get"],
  ["/api/v2/users/get", "/v2/users/get"],
  ["/v2/comment-annotations/update", "/v2/commentannotations/update"],
  ["/v2/organisations/folder/gets", "/v2/organizations/folders/get"],
  // The beginning is missing.
  ["/v2/documents/add", "/v1/organizations/documents/add"],
  ["/v2/document/add", "/v1/organizations/documents/add"],
  ["/v2/authtokens/get", "/v2/workspace/authtokens/get"],
  ["/v2/comments/update", "/v2/commentannotations/comments/update"],
  // The beginning is one too many.
  ["/v2/organizations/users/delete", "/v2/users/delete"],
  ["/v2/workspace/users/get", "/v2/users/get"],
  // One wrong character of a short word.
  ["/v2/users/ad", "/v2/users/add"],
  ["/v2/users/gte", "/v2/users/get"],
  ["/v2/users/gett", "/v2/users/get"],
  ["/v2/notifications/config/ste", "/v1/notifications/config/set"],
  // Another word for the same action.
  ["/v2/users/create", "/v2/users/add"],
  ["/v2/users/list", "/v2/users/get"],
  ["/v2/users/remove", "/v2/users/delete"],
  ["/v2/documents/list", "/v2/organizations/documents/get"],
  ["/v2/workspace/authtokens/delete", "/v2/workspace/authtokens/revoke"],
  ["/v2/notifications/send", "/v2/notifications/add"],
])("%s probably means %s", (path, meant) => {
  expect(nearestPath(path)).toBe(meant);
});

it.each([
  "/",
  "",
  "/get",
  "/v2",
  "/v2/add",
  "/favicon.ico",
  // Something else, or another action.
  "/v2/organizations/widgets/delete",
  "/v2/memory/add",
  "/v2/presence/update",
  "/v2/workspace/webhooks/get",
  "/v2/groups/users/add",
  "/v2/agents/users/delete",
  "/v2/users/notifications/delete",
  // The contrary.
  ...["/v2/users/undelete", "/v2/workspace/authtokens/unrevoke", "/v2/notifications/unread", "/v2/users/readd"],
  // More than one path ends so, or the segment before would say what is meant.
  ...["/v2/data/get", "/v2/data/add", "/v2/config/update"],
  `/v2/${"users/get/".repeat(1_000)}`,
  `/v2/users/${"get".repeat(1_000_000)}`,
  `/v2${"/".repeat(1_000_000)}users/get`,
])("%.30s means no known path", (path) => {
  expect(nearestPath(path)).toBeUndefined();
});

it("no known path is suggested in place of another", () => {
  for (const path of paths.filter((each) => !each.includes("{"))) {
    expect(nearestPath(path)).toBe(path);
  }
});
