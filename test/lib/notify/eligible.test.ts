// What it costs to decide who gets a notification.
import { beforeEach, expect, it } from "vitest";
import { costOf, inCall, newCall } from "../../../lib/call.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { eligibilityFilter } from "../../../lib/notify/eligible.ts";
import * as Grant from "../../../lib/store/access/grant.ts";
import { type DocumentUid, firstFolderUid } from "../../../lib/store/refs.ts";
import { settingOf } from "../../../lib/store/setting.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";

beforeEach(newTableInMemory);

const ref = { workspace: "w", organizationId: "o" };
const notice = {
  ...ref,
  at: new Date().toISOString(),
  defaultAccessType: "organizationPrivate",
  provider: settingOf("permissionProvider", undefined),
  messageChannels: [],
} as const;
const everyone = { verifyUserPermissions: false, access: [] };
const document = { type: "document", id: "d", documentUid: "x" as DocumentUid } as const;
const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

it("access of 600 users to a restricted document below 32 folders is decided by lists, not by 19,200 keys", async () => {
  const folders = numbered(32, "f").map((folderId) => ({ folderId, folderUid: firstFolderUid(folderId) }));
  const grantOf = (userId: string) => ({ userId, generation: 0, accessRole: "viewer" as const });
  await commit(Grant.onFolder({ ...ref, folderUid: firstFolderUid("f0") }, grantOf("u7")));
  await commit(Grant.onFolder({ ...ref, folderUid: firstFolderUid("f31") }, grantOf("u599")));
  const call = newCall("call", AbortSignal.timeout(60_000));
  const permitted = await inCall(call, async () => {
    const filter = await eligibilityFilter({
      ...notice,
      document: { ...document, accessType: "restricted", folders },
      content: { ...everyone, verifyUserPermissions: true },
    });
    return filter(numbered(600, "u").map((userId) => ({ userId, user: undefined, isNamed: true })));
  });
  expect(permitted.map(({ userId }) => userId)).toEqual(["u7", "u599"]);
  // The folders with their organization, the preferences, the grants on the document, and for each 300 users the folders' lists and one grant.
  expect(costOf(call)).toMatchObject({ roundTrips: 3 + 2 * 33, readUnits: 33 + 2 + 2 * 33 });
});

it("a notification that needs no access reads no grants", async () => {
  const call = newCall("call", AbortSignal.timeout(60_000));
  await inCall(call, () => eligibilityFilter({ ...notice, document: { ...document, folders: [] }, content: everyone }));
  expect(costOf(call)).toMatchObject({ roundTrips: 1 });
});
