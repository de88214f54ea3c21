// A user is deleted while a call gives the user access.
import { afterEach, expect, it, vi } from "vitest";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { grantAccess } from "../../../lib/access/grant-access.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

afterEach(() => void vi.restoreAllMocks());

const { organizationId } = f;
const userId = "u";
/** More grants than one transaction takes. */
const documentIds = Array.from({ length: 40 }, (_, index) => `d${index}`);
const resources = [
  { type: "organization", id: organizationId },
  { type: "folder", id: "f", organizationId },
  ...documentIds.map((id) => ({ type: "document", id, organizationId }) as const),
] as const;

const remove = (as: Credentials) => must(usersDelete, { as, data: { organizationId, userIds: [userId] } });
const add = (as: Credentials) => must(usersAdd, { as, data: { organizationId, users: [{ userId }] } });

async function arrange(): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f", accessType: "restricted" });
  await f.addDocuments(as, "f", ...documentIds);
  await add(as);
  return as;
}

/** Calls grantAccess, and runs `other` before its call number `at` to DynamoDB. Returns false if it made fewer calls. */
async function grantDuring(as: Credentials, at: number, other: () => Promise<unknown>): Promise<boolean> {
  let calls = 0;
  interceptStore(async () => {
    if (calls++ === at) await other();
  });
  const granted = await grantAccess({ workspace: as.apiKey, userId, resources, check: Promise.resolve() });
  vi.restoreAllMocks();
  expect(granted).toEqual([[organizationId, calls > at ? 1 : 0]]);
  return calls > at;
}

/** Which of the grants are in force for the user. */
async function inForce(as: Credentials): Promise<string[]> {
  const asked = { organizationId, userIds: [userId], folderIds: ["f"], documentIds };
  const { u } = await f.permissionsOf(as, asked);
  const entries = { ...u.organization, ...u.folders, ...u.documents } as Record<string, { accessRole?: string }>;
  return Object.keys(entries).filter((id) => entries[id]?.accessRole !== undefined);
}

it.each([
  ["deleted", remove],
  ["deleted and added again", (as: Credentials) => remove(as).then(() => add(as))],
])("all grants are in force for a user who is %s at any point of the call", async (_, other) => {
  for (let at = 0, isReached = true; isReached; at++) {
    const as = await arrange();
    isReached = await grantDuring(as, at, () => other(as));
    expect(await inForce(as), `call ${at}`).toHaveLength(resources.length);
  }
});
