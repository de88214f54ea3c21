// Tokens that were valid once.
import { expect, it } from "vitest";
import { documentsAdd } from "../../../../functions/documents/documents-add.ts";
import { organizationsAdd } from "../../../../functions/organizations/organizations-add.ts";
import { organizationsDelete } from "../../../../functions/organizations/organizations-delete.ts";
import { permissionsAdd } from "../../../../functions/permissions/permissions-add.ts";
import { presenceGet } from "../../../../functions/presence/presence-get.ts";
import { tokensRevoke } from "../../../../functions/user-tokens/tokens-revoke.ts";
import { usersDelete } from "../../../../functions/users/users-delete.ts";
import { purge } from "../../../../functions/workers/purge.ts";
import { domainsAdd } from "../../../../functions/workspace-settings/domains-add.ts";
import { domainsDelete } from "../../../../functions/workspace-settings/domains-delete.ts";
import { rotateKey } from "../../../../lib/access/signing-keys.ts";
import { beginErasure } from "../../../../lib/erasure/begin.ts";
import { tokenKeys } from "../../../../lib/store/access/signing-key.ts";
import * as BeingErased from "../../../../lib/store/erasure/being-erased.ts";
import { removeWorkspace } from "../../../../lib/workspace/workspaces.ts";
import { type Credentials, must } from "../../../support/call.ts";
import { newContainers } from "../../../support/exact/containers.ts";
import { fakeDates, later } from "../../../support/fake-dates.ts";
import { partsOf } from "../../../support/forged.ts";
import { runPurges } from "../../../support/run-purges.ts";
import { receive } from "../../../support/run-worker.ts";
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
  expect([await statusOf(named), await statusOf(bare)]).toEqual([401, 401]);
  later(1);
  expect(await statusOf(await tokenOf(as, "ann"))).toBe(200);
});

it("ends when its user is erased, where no organization knows the user", async () => {
  const as = await newWorkspaceForUsers();
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "p", accessType: "public" }] } });
  const opens = async (token: string) => (await callAs(token, presenceGet, { documentId: "p" })).status;
  const token = await bareTokenOf(as, "ann");
  expect(await opens(token)).toBe(200);
  const jobId = await beginErasure(as.apiKey, { userIds: ["ann"] });
  await receive(purge, [jobId]);
  later(30);
  expect(await opens(token)).toBe(401);
  // As of a call that has looked before the erasure began, and ends now.
  await BeingErased.remove({ workspace: as.apiKey }, { userIds: ["ann"] }, jobId);
  const late = await bareTokenOf(as, "ann");
  await BeingErased.add({ workspace: as.apiKey }, { userIds: ["ann"] }, jobId);
  expect(await opens(late)).toBe(200);
  await runPurges(as);
  expect(await opens(late)).toBe(401);
});

it("ends when its organization is deleted, also for one of the same id that came later", async () => {
  const as = await newWorkspaceForUsers();
  const token = await tokenOf(as, "ann");
  await must(organizationsDelete, { as, data: { organizationId } });
  await runPurges(as);
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "d", accessType: "public" }] } });
  await allow(as, "ann");
  expect(await statusOf(token)).toBe(403);
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
