// Tokens that were valid once.
import { expect, it } from "vitest";
import { organizationsDelete } from "../../../../functions/organizations/organizations-delete.ts";
import { permissionsAdd } from "../../../../functions/permissions/permissions-add.ts";
import { presenceGet } from "../../../../functions/presence/presence-get.ts";
import { tokensRevoke } from "../../../../functions/user-tokens/tokens-revoke.ts";
import { usersDelete } from "../../../../functions/users/users-delete.ts";
import { domainsAdd } from "../../../../functions/workspace-settings/domains-add.ts";
import { domainsDelete } from "../../../../functions/workspace-settings/domains-delete.ts";
import { rotateKey } from "../../../../lib/access/signing-keys.ts";
import { beginErasure } from "../../../../lib/erasure/begin.ts";
import { tokenKeys } from "../../../../lib/store/access/signing-key.ts";
import { removeWorkspace } from "../../../../lib/workspace/workspaces.ts";
import { type Credentials, must } from "../../../support/call.ts";
import { newContainers } from "../../../support/exact/containers.ts";
import { fakeDates, later } from "../../../support/fake-dates.ts";
import { partsOf } from "../../../support/forged.ts";
import { runPurges } from "../../../support/run-purges.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../../support/users.ts";
import { onDocument, organizationId } from "../../../support/workspace.ts";

fakeDates();

const statusOf = async (token: string, headers = {}) =>
  (await callAs(token, presenceGet, { documentId: "d" }, headers)).status;

/** A token whose claims name no organization. */
async function bareTokenOf(as: Credentials, userId: string): Promise<string> {
  const token = await tokenOf(as, userId, "editor", { permissions: { resources: [] } });
  expect(partsOf(token).claims.organizations).toEqual([]);
  return token;
}

const allow = (as: Credentials, userId: string) =>
  must(permissionsAdd, { as, data: { user: { userId }, permissions: { resources: [onDocument("d")] } } });

it("has an end, also for a container that has just seen it", async () => {
  const as = await newWorkspaceForUsers();
  const token = await tokenOf(as, "ann", "editor", { expiresInSeconds: 300 });
  later(299);
  expect(await statusOf(token)).toBe(200);
  later(1);
  expect(await statusOf(token)).toBe(401);
});

it.each(["with", "without"])("ends when its user is deleted, %s organizations in its claims", async (kind) => {
  const as = await newWorkspaceForUsers();
  const tokenFor = kind === "with" ? tokenOf : bareTokenOf;
  const token = await tokenFor(as, "ann");
  await allow(as, "ann");
  expect(await statusOf(token)).toBe(200);
  await must(usersDelete, { as, data: { organizationId, userIds: ["ann"] } });
  expect(await statusOf(token)).toBe(403);
  // In the same second, the user is added again.
  await allow(as, "ann");
  expect(await statusOf(token)).toBe(403);
  later(1);
  expect(await statusOf(token)).toBe(403);
  const next = await tokenFor(as, "ann");
  expect(await statusOf(next)).toBe(200);
});

it("outlives a deletion from an organization that does not know the user, where it opens nothing", async () => {
  const as = await newWorkspaceForUsers();
  const token = await bareTokenOf(as, "ann");
  expect(await statusOf(token)).toBe(403);
  await must(usersDelete, { as, data: { organizationId, userIds: ["ann"] } });
  expect(await statusOf(token)).toBe(403);
  // A later grant is meant for the user.
  await allow(as, "ann");
  expect(await statusOf(token)).toBe(200);
  await must(tokensRevoke, { as, data: { userId: "ann" } });
  later(30);
  expect(await statusOf(token)).toBe(401);
});

it("ends when its user is erased", async () => {
  const as = await newWorkspaceForUsers();
  const [named, bare] = [await tokenOf(as, "ann"), await bareTokenOf(as, "ann")];
  await beginErasure(as.apiKey, { userIds: ["ann"] });
  await runPurges(as);
  await allow(as, "ann");
  expect([await statusOf(named), await statusOf(bare)]).toEqual([403, 403]);
  later(1);
  expect(await statusOf(await tokenOf(as, "ann"))).toBe(200);
});

it("ends when the user's tokens are revoked in the second in which it was made", async () => {
  const as = await newWorkspaceForUsers();
  const [before, other] = [await tokenOf(as, "ann"), await tokenOf(as, "bob")];
  const elsewhere = await tokenOf(await newWorkspaceForUsers(), "ann");
  await must(tokensRevoke, { as, data: { userId: "ann" } });
  const after = await tokenOf(as, "ann");
  expect(await Promise.all([before, after, other, elsewhere].map((each) => statusOf(each)))).toEqual([
    401, 200, 200, 200,
  ]);
  await must(tokensRevoke, { as, data: { userId: "ann" } });
  newContainers();
  expect(await Promise.all([before, after].map((each) => statusOf(each)))).toEqual([401, 401]);
});

it("works for at most 30 s more where it was seen before the revocation", async () => {
  const as = await newWorkspaceForUsers();
  const token = await tokenOf(as, "ann");
  await statusOf(token);
  await must(tokensRevoke, { as, data: { userId: "ann" } });
  later(29);
  await statusOf(token);
  later(1);
  expect(await statusOf(token)).toBe(401);
});

it("stays revoked as long as it is valid", async () => {
  const as = await newWorkspaceForUsers();
  const token = await tokenOf(as, "ann");
  await must(tokensRevoke, { as, data: { userId: "ann" } });
  later(48 * 3_600 - 1);
  expect(await statusOf(token)).toBe(401);
});

it("outlives a rotation of its key, and ends with an immediate one", async () => {
  const as = await newWorkspaceForUsers();
  const first = await tokenOf(as, "ann");
  await rotateKey(tokenKeys(as.apiKey), false);
  later(600);
  const second = await tokenOf(as, "ann");
  expect(partsOf(second).header.kid).not.toBe(partsOf(first).header.kid);
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
  await rotateKey(tokenKeys(as.apiKey), true);
  later(30);
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
  expect(await statusOf(await tokenOf(as, "ann"))).toBe(200);
});

it("works for at most 30 s more on the pages of a domain that was removed", async () => {
  const as = await newWorkspaceForUsers();
  const token = await tokenOf(as, "ann");
  const page = { origin: "https://example.com" };
  await must(domainsAdd, { as, data: { domains: ["example.com"] } });
  expect(await statusOf(token, page)).toBe(200);
  await must(domainsDelete, { as, data: { domains: ["example.com"] } });
  later(30);
  expect([await statusOf(token, page), await statusOf(token)]).toEqual([403, 200]);
});

it("ends with its workspace", async () => {
  const as = await newWorkspaceForUsers();
  const [known, unknown] = [await tokenOf(as, "ann"), await tokenOf(as, "bob")];
  expect(await statusOf(known)).toBe(200);
  await removeWorkspace({ workspace: as.apiKey });
  expect(await statusOf(unknown)).toBe(401);
  later(30);
  expect(await statusOf(known)).toBe(401);
});

it("opens nothing in an organization that is deleted", async () => {
  const as = await newWorkspaceForUsers();
  const token = await tokenOf(as, "ann");
  expect(await statusOf(token)).toBe(200);
  await must(organizationsDelete, { as, data: { organizationId } });
  expect(await statusOf(token)).toBe(403);
});
