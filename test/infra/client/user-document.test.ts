import { expect, it } from "vitest";
import { forUsers } from "../../../infra/client/user-document.ts";
import { named } from "../../../infra/deployables.ts";
import { apiDocument } from "../../../infra/openapi/api-document.ts";

const document = forUsers(apiDocument());

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
const schemas = (document.components as any).schemas;

it("has the operations that a user's token opens", () => {
  const opened = named.filter(({ users }) => users).map(({ path }) => path);
  expect(Object.keys(document.paths).sort()).toEqual(opened.sort());
});

it("does not require who acts, and has no field that only servers see or send", () => {
  expect(schemas.Comment.required).toEqual(["commentId"]);
  expect(Object.keys(schemas.Person.properties)).toEqual(["userId", "name"]);
  const add = JSON.stringify(document.paths["/v2/organizations/documents/data/add"]?.post?.requestBody);
  expect(add).toContain('"actionUser"');
  expect(add).not.toContain('"silent"');
  expect(JSON.stringify(document)).not.toContain("x-hidden-from-users");
  expect(schemas.Comment.properties).toHaveProperty("createdAt");
});

it("leaves the document of servers as it is", () => {
  const before = apiDocument();
  forUsers(before);
  expect(before).toEqual(apiDocument());
});
