import { expect, it } from "vitest";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import { must } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import * as f from "../../support/workspace.ts";

const organizationId = "o";
const lastCall = () => logs().findLast(({ endpoint }) => endpoint === "users-get") ?? {};

it("finds one user among 5,000 deleted ones on the first page", async () => {
  const as = await f.newOrganization();
  const organization = { workspace: as.apiKey, organizationId };
  const tombstone = { organizationId, generation: 1, updatedAt: "now" };
  const deleted = Array.from({ length: 5_000 }, (_, index) => `gone${index}`);
  await putAll(deleted.map((userId) => userEntity.put({ ...organization, userId }, { ...tombstone, userId })));
  await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u0" }] } });
  const data = { organizationId };
  expect(await must(usersGet, { as, data })).toMatchObject({ users: [{ userId: "u0" }], nextPageToken: null });
  // The credentials, the organization, a short first read, and the shards.
  expect(lastCall().roundTrips).toBeLessThanOrEqual(1 + 1 + 1 + 1 + 3 + 12);
  expect(lastCall().readUnits).toBeLessThan(300);
});

it.each([
  ["folder", { folderId: "f" }, f.onFolder("f"), { roundTrips: 4, readUnits: 10 }],
  ["document", { documentId: "d" }, f.onDocument("d"), { roundTrips: 4, readUnits: 8 }],
] as const)("lists 2 of 300 users with a grant on a %s at the cost of these 2", async (_, where, resource, cost) => {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" });
  await f.addDocuments(as, undefined, "d");
  const users = Array.from({ length: 300 }, (_, index) => ({ userId: `u${index}` }));
  for (const part of [0, 100, 200]) {
    await must(usersAdd, { as, data: { organizationId, users: users.slice(part, part + 100) } });
  }
  for (const id of ["u1", "u299"]) await f.give(as, id, resource);
  const { users: found, nextPageToken } = await must(usersGet, { as, data: { organizationId, ...where, pageSize: 2 } });
  expect(found.map(({ userId }: { userId: string }) => userId)).toEqual(["u1", "u299"]);
  expect(nextPageToken).toBeNull();
  expect(lastCall()).toMatchObject(cost);
});
