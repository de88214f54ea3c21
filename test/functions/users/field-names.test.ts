// Names of fields that JavaScript treats specially, in objects that the service stores as its caller sent them.
import { expect, it } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { presenceAdd } from "../../../functions/presence/presence-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { call, must } from "../../support/call.ts";
import { dataOf } from "../../support/contract/requests.ts";
import { expectRefused, pathsOf, storedOf } from "../../support/refusal.ts";
import * as f from "../../support/workspace.ts";

const ordinary = { constructor: "c", prototype: { constructor: 1 }, toString: "t", hasOwnProperty: [2] };
const reserved = JSON.parse('{"__proto__":{"isAdmin":true}}');
const user = (fields: object) => ({ organizationId: "o", users: [{ userId: "u", ...fields }] });

it("the names of a user's properties are kept, such as constructor", async () => {
  const as = await f.newOrganization();
  await must(usersAdd, { as, data: user({}) });
  await must(usersUpdate, { as, data: user(ordinary) });
  const { users } = await must(usersGet, { as, data: { organizationId: "o" } });
  expect(JSON.parse(JSON.stringify(users))).toEqual([expect.objectContaining({ properties: ordinary })]);
});

it.each([
  ["a property of a user", usersUpdate, { users: [JSON.parse('{"userId":"u","__proto__":1}')] }, "users.0.__proto__"],
  ["inside of a property", usersUpdate, { users: [{ userId: "u", more: [reserved] }] }, "users.0.more.0.__proto__"],
  [
    "an access field",
    usersAdd,
    { users: [{ userId: "u", context: { access: JSON.parse('{"__proto__":["a"]}') } }] },
    "users.0.context.access.__proto__",
  ],
  [
    "metadata of a comment",
    documentsDataAdd,
    { comments: [{ annotationId: "a", from: { userId: "u" }, metadata: reserved }] },
    "comments.0.metadata.__proto__",
  ],
  ["a location", documentsDataAdd, { location: { id: "l", more: reserved } }, "location.more.__proto__"],
  [
    "metadata of a present user",
    presenceAdd,
    { users: [{ userId: "u", metadata: reserved }] },
    "users.0.metadata.__proto__",
  ],
])("__proto__ is refused as %s, and nothing is stored", async (_where, endpoint, fields, path) => {
  const as = await f.newOrganization();
  const before = await storedOf(as);
  const reply = await call(endpoint, { as, data: { ...(dataOf(endpoint) as object), ...fields } });
  expectRefused(reply, "INVALID_ARGUMENT", "The name __proto__ is reserved. Use another name.");
  expect(pathsOf(reply)).toEqual([path]);
  expect(await storedOf(as)).toEqual(before);
});
