// Concurrent calls change the grant of one user.
import { afterEach, describe, expect, it, vi } from "vitest";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { updateUsers } from "../../../lib/access/update-users.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import {
  addDocuments,
  addFolders,
  give,
  newOrganization,
  onDocument,
  onFolder,
  onOrganization,
  organizationId,
  permissionsOf,
} from "../../support/workspace.ts";

const userId = "u";
const expiresAt = 9e10;
const resources = [
  ["the organization", onOrganization()],
  ["a folder", onFolder("f")],
  ["a document", onDocument("d")],
] as const;
type Resource = (typeof resources)[number][1];

afterEach(() => void vi.restoreAllMocks());

async function withGrantOn(resource: Resource): Promise<Credentials> {
  const as = await newOrganization();
  await must(usersAdd, { as, data: { organizationId, users: [{ userId }] } });
  await addFolders(as, { folderId: "f" });
  await addDocuments(as, undefined, "d");
  await give(as, userId, resource);
  return as;
}

function update({ apiKey: workspace }: Credentials, { type, id }: Resource, fields: object) {
  const granted = type === "organization" ? undefined : ({ type, id } as { type: "folder" | "document"; id: string });
  return updateUsers({ workspace, organizationId }, granted, [{ userId, ...fields }]);
}

/** Calls `update`, and runs `other` between its read and its write. */
async function updateDuring(other: () => Promise<unknown>, ...args: Parameters<typeof update>) {
  let isRaced = false;
  interceptStore(async ({ constructor: { name } }) => {
    if (isRaced || name !== "TransactWriteCommand") return;
    isRaced = true;
    await other();
  });
  const notUpdated = await update(...args);
  expect(isRaced).toBe(true);
  return notUpdated;
}

async function grantOf(as: Credentials, { type, id }: { type: string; id: string }) {
  const { u } = await permissionsOf(as, { userIds: [userId], folderIds: ["f"], documentIds: ["d"] });
  return { organization: u.organization, folder: u.folders, document: u.documents }[type]?.[id];
}

describe("updateUsers", () => {
  it.each(resources)("keeps the end of a grant on %s that a concurrent call sets", async (_, resource) => {
    const as = await withGrantOn(resource);
    const other = () => update(as, resource, { expiresAt });
    expect(await updateDuring(other, as, resource, { accessRole: "viewer" })).toEqual(new Map());
    expect(await grantOf(as, resource)).toMatchObject({ accessRole: "viewer", expiresAt });
  });

  it.each(resources)("does not restore a grant on %s that a concurrent call removes", async (_, resource) => {
    const as = await withGrantOn(resource);
    const data = { user: { userId }, permissions: { resources: [resource] } };
    const other = () => must(permissionsRemove, { as, data });
    expect(await updateDuring(other, as, resource, { expiresAt })).toEqual(new Map([[userId, "no-grant"]]));
    expect(await grantOf(as, resource)).not.toHaveProperty("expiresAt");
  });

  it.each(resources)("gives a grant on %s to a user who is deleted and added again meanwhile", async (_, resource) => {
    const as = await withGrantOn(resource);
    const other = async () => {
      await must(usersDelete, { as, data: { organizationId, userIds: [userId] } });
      await must(usersAdd, { as, data: { organizationId, users: [{ userId, accessRole: "editor" }] } });
    };
    expect(await updateDuring(other, as, resource, { accessRole: "viewer" })).toEqual(new Map());
    expect(await grantOf(as, resource)).toMatchObject({ accessRole: "viewer" });
  });

  it.each(resources)("never undoes a removal of a grant on %s beside it, in 20 rounds", async (_, resource) => {
    const as = await withGrantOn(resource);
    const remove = () =>
      must(permissionsRemove, { as, data: { user: { userId }, permissions: { resources: [resource] } } });
    for (let round = 0; round < 20; round++) {
      await give(as, userId, resource);
      await Promise.all([update(as, resource, { expiresAt }), remove()]);
      expect(await grantOf(as, resource)).not.toHaveProperty("expiresAt");
    }
  });

  it.each(resources)("keeps the changes of two updates of a grant on %s at once, in 20 rounds", async (_, resource) => {
    const as = await withGrantOn(resource);
    for (let round = 1; round <= 20; round++) {
      const end = expiresAt + round;
      const accessRole = round % 2 ? "viewer" : "editor";
      await Promise.all([update(as, resource, { expiresAt: end }), update(as, resource, { accessRole })]);
      expect(await grantOf(as, resource)).toMatchObject({ accessRole, expiresAt: end });
    }
  });
});
