// Calls of users in a workspace with a permission provider. permissions/get asks it. `live-open.test.ts` tests that
// live/open does too.
import { expect, it } from "vitest";
import { permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import * as ProviderAnswer from "../../../lib/store/access/provider-answer.ts";
import { must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { listen } from "../../support/net/listen.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../support/users.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

interface Asked {
  userId: string;
  resource: { id: string; type: string };
}

/** The token of `ann`, to whom the provider gives access to `d` only, and what the provider was asked. */
async function newUser() {
  const as = await newWorkspaceForUsers();
  const asked: Asked[] = [];
  const port = await listen(async (request, response) => {
    const { requests } = JSON.parse((await request.toArray()).join("")).data as { requests: Asked[] };
    asked.push(...requests);
    const data = requests.map(({ userId, resource: { id: resourceId, type } }) => {
      return { userId, resourceId, type, organizationId, hasAccess: resourceId === "d" };
    });
    response.end(JSON.stringify({ data, success: true, statusCode: 200 }));
  });
  const permissionProviderConfig = { permissionProviderUrl: `http://127.0.0.1:${port}/`, authToken: "secret" };
  const token = await tokenOf(as, "ann");
  await must(permissionproviderconfigUpdate, { as, data: { usePermissionProvider: true, permissionProviderConfig } });
  const open = (...documentIds: string[]) => callAs(token, permissionsGet, { documentIds });
  const get = (documentId: string) => callAs(token, presenceGet, { documentId });
  return { as, asked, open, get };
}

const openFirst = { status: "FAILED_PRECONDITION", details: { reason: "OPEN_DOCUMENT_FIRST" } };

it("need an answer of the last minute, and do not ask the provider", async () => {
  const { asked, open, get } = await newUser();
  expect((await get("d")).error).toMatchObject(openFirst);
  expect(asked).toEqual([]);
  await open("d");
  const count = asked.length;
  later(59);
  expect((await get("d")).status).toBe(200);
  expect(asked).toHaveLength(count);
  later(2);
  expect((await get("d")).error).toMatchObject(openFirst);
});

it("ask no provider with the token of a deleted user", async () => {
  const { as, asked, open } = await newUser();
  await must(usersDelete, { as, data: { organizationId, userIds: ["ann"] } });
  expect((await open("d")).status).toBe(403);
  expect(asked).toEqual([]);
});

it("fail in the same way for a document that is missing and one that is forbidden, before and after they are opened", async () => {
  const { open, get } = await newUser();
  for (const attempt of ["before", "after"]) {
    const [hidden, missing] = [await get("hidden"), await get("missing")];
    expect(hidden.body, attempt).toEqual(missing.body);
    const { documents } = (await open("hidden", "missing")).data.ann;
    expect(documents.hidden, attempt).toEqual(documents.missing);
  }
  expect((await get("hidden")).error?.status).toBe("PERMISSION_DENIED");
});

it("keep the answer to the later question, in whatever order the answers arrive", async () => {
  const { as, get } = await newUser();
  const ref = { workspace: as.apiKey, organizationId, userId: "ann", documentId: "d" };
  await ProviderAnswer.keep(ref, {}, Date.now());
  await ProviderAnswer.keep(ref, { accessRole: "editor" }, Date.now() - 1_000);
  expect((await get("d")).error?.status).toBe("PERMISSION_DENIED");
  await ProviderAnswer.keep(ref, { accessRole: "viewer" }, Date.now() + 1);
  expect((await get("d")).status).toBe(200);
});

it("end with the time of the provider's own answer", async () => {
  const { as, get } = await newUser();
  const ref = { workspace: as.apiKey, organizationId, userId: "ann", documentId: "d" };
  await ProviderAnswer.keep(ref, { accessRole: "editor", expiresAt: Math.floor(Date.now() / 1_000) + 10 }, Date.now());
  expect((await get("d")).status).toBe(200);
  later(11);
  expect((await get("d")).error).toMatchObject(openFirst);
});
