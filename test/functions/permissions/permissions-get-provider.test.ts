// The endpoint with a permission provider (DECISIONS.md#permission-provider).
// test/lib/access/permission-provider.test.ts tests the requests that the provider gets.
import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { listen } from "../../support/net/listen.ts";
import * as f from "../../support/workspace.ts";

interface Asked {
  userId: string;
  resource: { id: string; type: string; organizationId: string; parentFolderId?: string };
}
type Verdict = { hasAccess: boolean; accessRole?: string; expiresAt?: number } | undefined;
const accessType = "organizationPrivate";
const denied = expect.objectContaining({ accessType, errorCode: "permission_denied" });
const undecided = expect.objectContaining({ accessType, errorCode: "something_went_wrong" });

afterEach(() => void vi.unstubAllEnvs());

async function useProvider(as: Credentials, server: RequestListener, usePermissionProvider = true): Promise<void> {
  const permissionProviderUrl = `http://127.0.0.1:${await listen(server)}/`;
  const permissionProviderConfig = { permissionProviderUrl, authToken: "secret" };
  await must(permissionproviderconfigUpdate, { as, data: { usePermissionProvider, permissionProviderConfig } });
}

/** A provider whose reply has the verdict of each request, or no entry for undefined. `asked` collects requests. */
function provider(verdict: (request: Asked) => Verdict, asked: Asked[] = []): RequestListener {
  return async (request, response) => {
    const { requests } = JSON.parse((await request.toArray()).join("")).data as { requests: Asked[] };
    asked.push(...requests);
    const data = requests.flatMap((each) => {
      const { id: resourceId, type, organizationId } = each.resource;
      const decision = request.headers.authorization === "Bearer secret" ? verdict(each) : undefined;
      return decision ? [{ userId: each.userId, resourceId, type, organizationId, ...decision }] : [];
    });
    response.end(JSON.stringify({ data, success: true, statusCode: 200 }));
  };
}

describe("OK", () => {
  it("denies, and sends no token, when the operator has forbidden the provider's origin since", async () => {
    const as = await f.newOrganization();
    const asked: Asked[] = [];
    await useProvider(
      as,
      provider(() => ({ hasAccess: true }), asked),
    );
    vi.stubEnv("PERMISSION_PROVIDER_ORIGINS", "https://permissions.example.com");
    expect(await f.onWhole(as, "u")).toEqual(undecided);
    expect(asked).toEqual([]);
  });

  it("returns the provider's decision for each entry instead of the stored grants", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "top" }, { folderId: "f", parentFolderId: "top" });
    await f.addDocuments(as, "f", "d", "e");
    await f.give(as, "u", f.onOrganization(), f.onDocument("e"));
    const verdicts: Record<string, Verdict> = {
      o: { hasAccess: true, accessRole: "editor", expiresAt: 9e13 },
      f: { hasAccess: true },
      d: { hasAccess: false, accessRole: "editor" },
    };
    const asked: Asked[] = [];
    await useProvider(
      as,
      provider(({ resource }) => verdicts[resource.id], asked),
    );
    expect(await f.permissionsOf(as, { userIds: ["u"], folderIds: ["f"], documentIds: ["d", "e"] })).toEqual({
      u: {
        folders: { f: { accessRole: "editor", accessType } },
        documents: { d: denied, e: undecided },
        organization: { o: { accessRole: "editor", accessType, expiresAt: 9e10 } },
      },
    });
    const organizationId = "o";
    expect(asked.map(({ resource }) => resource)).toEqual([
      { id: "o", type: "organization", organizationId },
      { id: "f", type: "folder", organizationId, parentFolderId: "top" },
      { id: "d", type: "document", organizationId, parentFolderId: "f" },
      { id: "e", type: "document", organizationId, parentFolderId: "f" },
    ]);
  });

  it.each(["HTTP 500", "a body that is not JSON"])("denies everybody on %s, admins included", async (fault) => {
    const as = await f.newOrganization();
    await f.giveToken(as, { userProperties: { isAdmin: true }, resources: [f.onOrganization()] });
    await f.addDocuments(as, undefined, "d");
    await useProvider(as, (_request, response) => response.writeHead(fault === "HTTP 500" ? 500 : 200).end("{"));
    expect(await f.onOne(as, "u", "d")).toEqual(undecided);
    expect(await f.onWhole(as, "u")).toEqual(undecided);
  });

  it("does not call the provider while it is switched off", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onOrganization());
    await useProvider(as, () => expect.fail("the provider was called"), false);
    expect(await f.onWhole(as, "u")).toMatchObject({ accessRole: "editor" });
  });
});

describe("NOT_FOUND", () => {
  it("is returned without the provider, which is asked about existing resources only", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    const asked: Asked[] = [];
    await useProvider(
      as,
      provider(() => ({ hasAccess: true }), asked),
    );
    const data = { organizationId: "o", userIds: ["u"], folderIds: ["nof"], documentIds: ["d", "nod"] };
    const { error } = await call(permissionsGet, { as, data });
    expect(error?.details?.u).toMatchObject({
      folders: { nof: { errorCode: "does_not_exist" } },
      documents: { d: { accessRole: "editor" }, nod: { errorCode: "does_not_exist" } },
      organization: { o: { accessRole: "editor" } },
    });
    expect(asked.map(({ resource }) => resource.id)).toEqual(["o", "d"]);
    await call(permissionsGet, { as, data: { ...data, organizationId: "no" } });
    expect(asked).toHaveLength(2);
  });
});

it("explain names the provider, whatever it answers", async () => {
  const as = await f.newOrganization();
  await f.addDocuments(as, undefined, "yes", "no", "silent");
  const verdicts = new Map([
    ["yes", { hasAccess: true, accessRole: "viewer", expiresAt: 9e13 }],
    ["no", { hasAccess: false }],
  ]);
  await useProvider(
    as,
    provider(({ resource }) => verdicts.get(resource.id)),
  );
  const asked = { userIds: ["u"], documentIds: ["yes", "no", "silent"], explain: true };
  const { documents } = (await f.permissionsOf(as, asked)).u;
  expect(documents.yes.because).toEqual({ level: "provider", id: "yes", accessRole: "viewer", expiresAt: 9e10 });
  expect(documents.no.because).toEqual({ level: "provider", id: "no" });
  expect(documents.silent).toMatchObject({
    errorCode: "something_went_wrong",
    because: { level: "provider", id: "silent" },
  });
});
