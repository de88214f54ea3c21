import { beforeAll, expect, it } from "vitest";
import { endpoints } from "../../../infra/deployables.ts";
import { suggestPaths, unknownPath } from "../../../lib/http/unknown-path.ts";

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
  // Another word for the same action.
  ["/v2/users/create", "/v2/users/add"],
  ["/v2/users/list", "/v2/users/get"],
  ["/v2/users/remove", "/v2/users/delete"],
  ["/v2/documents/list", "/v2/organizations/documents/get"],
  ["/v2/workspace/authtokens/delete", "/v2/workspace/authtokens/revoke"],
  ["/v2/notifications/send", "/v2/notifications/add"],
])("the failure for %s suggests %s", (path, meant) => {
  expect(unknownPath(path)).toMatchObject({
    status: "NOT_FOUND",
    message: `No endpoint has this path. Did you mean ${meant}?`,
  });
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
  // More than one path ends so.
  "/v2/data/get",
  `/v2/${"users/get/".repeat(1_000)}`,
  `/v2/users/${"get".repeat(1_000_000)}`,
  `/v2${"/".repeat(1_000_000)}users/get`,
])("%.30s suggests no path", (path) => {
  expect(unknownPath(path).message).toBe("No endpoint has this path.");
});

it("no known path is suggested in place of another", () => {
  for (const path of paths.filter((each) => !each.includes("{"))) {
    expect(unknownPath(path).message).toContain(`Did you mean ${path}?`);
  }
});
