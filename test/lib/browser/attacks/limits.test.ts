// What one user can use up.
import { afterEach, expect, it, vi } from "vitest";
import { commentsAdd } from "../../../../functions/comments/comments-add.ts";
import { notificationsConfigSet } from "../../../../functions/notifications/notifications-config-set.ts";
import { permissionsGet } from "../../../../functions/permissions/permissions-get.ts";
import { presenceGet } from "../../../../functions/presence/presence-get.ts";
import * as ProviderAnswer from "../../../../lib/store/access/provider-answer.ts";
import { callCountEntity } from "../../../../lib/store/call-count.ts";
import * as Setting from "../../../../lib/store/setting.ts";
import { call } from "../../../support/call.ts";
import { newContainers } from "../../../support/exact/containers.ts";
import { fakeDates, later } from "../../../support/fake-dates.ts";
import { expectRefused, pathsOf } from "../../../support/refusal.ts";
import { dataOf } from "../../../support/user-requests.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../../support/users.ts";
import { organizationId } from "../../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.unstubAllEnvs());

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);
const get = (token: string) => callAs(token, presenceGet, { documentId: "d" });

it.each([
  [permissionsGet, { documentIds: numbered(101) }],
  [permissionsGet, { folderIds: numbered(101) }],
  [permissionsGet, { documentIds: numbered(60), folderIds: numbered(41) }],
  [notificationsConfigSet, { documentIds: numbered(101), config: { inbox: "NONE" } }],
])("a call names at most 100 documents and folders: $name", async (endpoint, data) => {
  const as = await newWorkspaceForUsers();
  await Setting.update({ workspace: as.apiKey }, "switches", { browser: true, notifications: true });
  const ann = await tokenOf(as, "ann");
  const before = await dataOf(as);
  const reply = await callAs(ann, endpoint, data);
  expectRefused(reply, "INVALID_ARGUMENT");
  expect(pathsOf(reply)).toEqual(["documentIds"]);
  expect(await dataOf(as)).toEqual(before);
  const fewer = Object.fromEntries(
    Object.entries(data).map(([name, ids]) => [name, Array.isArray(ids) ? ids.slice(0, 50) : ids]),
  );
  expect((await callAs(ann, endpoint, fewer)).error?.status).not.toBe("INVALID_ARGUMENT");
});

it("a flood of one user takes no calls of others, and ends in a second", async () => {
  const as = await newWorkspaceForUsers();
  const [ann, bob] = [await tokenOf(as, "ann"), await tokenOf(as, "bob")];
  const statuses: number[] = [];
  for (let count = 0; count < 600; count++) statuses.push((await get(ann)).status);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(60);
  expect(statuses.at(-1)).toBe(429);
  expect((await get(bob)).status).toBe(200);
  // Another token and another container are those of the same user.
  newContainers();
  const other = await tokenOf(as, "ann");
  const again: number[] = [];
  for (let count = 0; count < 20; count++) again.push((await get(other)).status);
  expect(again.at(-1)).toBe(429);
  later(2);
  expect((await get(ann)).status).toBe(200);
});

it("a flood of many users takes no calls of the workspace's servers, or of another workspace", async () => {
  vi.stubEnv("WORKSPACE_CALLS_PER_SECOND", "100");
  const [as, elsewhere] = [await newWorkspaceForUsers(), await newWorkspaceForUsers()];
  const tokens = await Promise.all(numbered(12).map((userId) => tokenOf(as, userId)));
  const statuses: number[] = [];
  for (let count = 0; count < 40; count++) for (const token of tokens) statuses.push((await get(token)).status);
  expect(statuses.slice(0, 400)).toEqual(Array(400).fill(200));
  expect(statuses.at(-1)).toBe(429);
  expect((await call(presenceGet, { as, data: { organizationId, documentId: "d" } })).status).toBe(200);
  expect((await get(await tokenOf(elsewhere, "d0"))).status).toBe(200);
});

it("a refused call counts too", async () => {
  const as = await newWorkspaceForUsers();
  const ann = await tokenOf(as, "ann");
  const statuses: number[] = [];
  for (let count = 0; count < 70; count++) statuses.push((await callAs(ann, commentsAdd, {})).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
});

it("the answers about users are not beside the counts of calls, and each user has own ones", () => {
  const ref = { workspace: "w", organizationId, documentId: "d" };
  const keys = numbered(100).map((userId) => ProviderAnswer.providerAnswerEntity.key({ ...ref, userId }));
  const partitions = keys.map(({ pk }) => pk);
  expect(partitions).not.toContain(callCountEntity.key({ workspace: "w", of: undefined }).pk);
  expect(new Set(partitions).size).toBeGreaterThan(8);
  expect(new Set(keys.map(({ sk }) => sk)).size).toBe(100);
});
