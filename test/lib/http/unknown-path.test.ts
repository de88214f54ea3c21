import { afterEach, expect, it } from "vitest";
import { suggestPaths, unknownPath } from "../../../lib/http/unknown-path.ts";

afterEach(() => suggestPaths([]));

it.each([
  ["/v2/user/get", "/v2/users/get"],
  ["/users/get", "/v2/users/get"],
  ["/v3/users/get", "/v2/users/get"],
  ["/V2/Users/Get/", "/v2/users/get"],
  ["/api/v2/users/get", "/v2/users/get"],
  ["/v1/folder/add", "/v1/folders/add"],
  ["/v2/documents/add", "/v1/organizations/documents/add"],
])("the failure for %s suggests %s", (path, meant) => {
  suggestPaths(["/v2/users/get", "/v1/folders/add", "/v1/organizations/documents/add"]);
  expect(unknownPath(path)).toMatchObject({
    status: "NOT_FOUND",
    message: `No endpoint has this path. Did you mean ${meant}?`,
  });
});

it.each(["/", "", "/add", "/v2/add", "/favicon.ico", "/v2", `/v2/${"users/get/".repeat(1_000)}`])(
  "%.20s suggests no path",
  (path) => {
    suggestPaths(["/v2/users/get", "/v1/folders/add"]);
    expect(unknownPath(path).message).toBe("No endpoint has this path.");
  },
);
