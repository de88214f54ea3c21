// A change of a setting or of an organization holds from the next call on, also in a container that has read the former
// value. Valid credentials are cached for 30 seconds.

import { decodeProtectedHeader } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { documentsGet } from "../../functions/documents/documents-get.ts";
import { notificationsConfigGet } from "../../functions/notifications/notifications-config-get.ts";
import { organizationsAdd } from "../../functions/organizations/organizations-add.ts";
import { organizationsDelete } from "../../functions/organizations/organizations-delete.ts";
import { permissionsRemove } from "../../functions/permissions/permissions-remove.ts";
import { usersDelete } from "../../functions/users/users-delete.ts";
import { advancedwebhookconfigUpdate } from "../../functions/webhooks/advancedwebhookconfig-update.ts";
import { webhookEndpointsCreate } from "../../functions/webhooks/webhook-endpoints-create.ts";
import { webhookEndpointsDelete } from "../../functions/webhooks/webhook-endpoints-delete.ts";
import { permissionproviderconfigUpdate } from "../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { rotateKey } from "../../lib/access/signing-keys.ts";
import { tokenKeys } from "../../lib/store/access/signing-key.ts";
import * as Setting from "../../lib/store/setting.ts";
import { removeWorkspace } from "../../lib/workspace/workspaces.ts";
import { type Credentials, call, must, newWorkspace } from "../support/call.ts";
import { jobsOf } from "../support/jobs.ts";
import {
  addDocuments,
  give,
  giveToken,
  newOrganization,
  onOne,
  onWhole,
  organizationId,
} from "../support/workspace.ts";

let as: Credentials;
beforeEach(async () => {
  as = await newOrganization();
});
afterEach(() => void vi.useRealTimers());

describe("the next call of another function sees the change of", () => {
  it("the webhook endpoints: an event is neither lost nor written without need", async () => {
    await must(advancedwebhookconfigUpdate, { as, data: { isEnabled: true } });
    await addDocuments(as, undefined, "before");
    const { id: endpointId } = await must(webhookEndpointsCreate, { as, data: { url: "https://example.com" } });
    await addDocuments(as, undefined, "wanted");
    expect(await jobsOf(as, "fanout")).toHaveLength(1);
    await must(webhookEndpointsDelete, { as, data: { endpointId } });
    await addDocuments(as, undefined, "after");
    expect(await jobsOf(as, "fanout")).toHaveLength(1);
  });

  it("the switches", async () => {
    const read = async () => {
      const data = { organizationId, userId: "u", getOrganizationConfig: true };
      return (await call(notificationsConfigGet, { as, data })).error?.status;
    };
    expect(await read()).toBeUndefined();
    await Setting.update({ workspace: as.apiKey }, "switches", { notifications: false });
    expect(await read()).toBe("FAILED_PRECONDITION");
    await Setting.update({ workspace: as.apiKey }, "switches", { notifications: true });
    expect(await read()).toBeUndefined();
  });

  it("the default access type", async () => {
    await addDocuments(as, undefined, "d");
    expect(await onOne(as, "u", "d")).toMatchObject({ errorCode: "permission_denied" });
    await Setting.update({ workspace: as.apiKey }, "access", { defaultAccessType: "public" });
    expect(await onOne(as, "u", "d")).toMatchObject({ accessRole: "viewer" });
    await Setting.update({ workspace: as.apiKey }, "access", { defaultAccessType: "restricted" });
    expect(await onOne(as, "u", "d")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("the signing key", async () => {
    const kidOf = async () => decodeProtectedHeader((await giveToken(as)).data.token).kid;
    const before = await kidOf();
    const rotated = await rotateKey(tokenKeys(as.apiKey), true);
    expect(rotated?.kid).not.toBe(before);
    expect(await kidOf()).toBe(rotated?.kid);
  });

  it("the permission provider", async () => {
    await give(as, "u", { type: "organization", id: organizationId });
    expect(await onWhole(as, "u")).toMatchObject({ accessRole: "editor" });
    // Nobody listens there.
    const permissionProviderConfig = { permissionProviderUrl: "https://127.0.0.1:1/" };
    const use = { usePermissionProvider: true, permissionProviderConfig };
    await must(permissionproviderconfigUpdate, { as, data: use });
    expect(await onWhole(as, "u")).toMatchObject({ errorCode: "something_went_wrong" });
    await must(permissionproviderconfigUpdate, { as, data: { usePermissionProvider: false } });
    expect(await onWhole(as, "u")).toMatchObject({ accessRole: "editor" });
  });
});

describe("a function that has just served the organization refuses", () => {
  const grant = { type: "organization", id: organizationId };

  it("a user whose grant has ended", async () => {
    await give(as, "u", grant);
    expect(await onWhole(as, "u")).toMatchObject({ accessRole: "editor" });
    await must(permissionsRemove, { as, data: { user: { userId: "u" }, permissions: { resources: [grant] } } });
    expect(await onWhole(as, "u")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("a user who was deleted", async () => {
    await give(as, "u", grant);
    expect(await onWhole(as, "u")).toMatchObject({ accessRole: "editor" });
    await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
    expect(await onWhole(as, "u")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("calls of a deleted workspace 30 seconds later, when it checks the credentials again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await must(documentsGet, { as, data: { organizationId } });
    expect(await removeWorkspace({ workspace: as.apiKey })).toBeDefined();
    vi.setSystemTime(Date.now() + 30_000);
    const { error } = await call(documentsGet, { as, data: { organizationId } });
    expect(error?.status).toBe("PERMISSION_DENIED");
  });
});

describe("an organization that a function has just read", () => {
  it("is missing in the next call after its deletion", async () => {
    const get = async () => (await call(documentsGet, { as, data: { organizationId } })).status;
    expect(await get()).toBe(200);
    await must(organizationsDelete, { as, data: { organizationId } });
    expect(await get()).toBe(400);
  });

  it("exists in the next call after its creation, and in no other workspace", async () => {
    const get = async (caller: Credentials, id: string) =>
      (await call(documentsGet, { as: caller, data: { organizationId: id } })).status;
    expect(await get(as, "later")).toBe(400);
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "later" }] } });
    expect(await get(as, "later")).toBe(200);
    expect(await get(await newWorkspace(), "later")).toBe(400);
    expect(await get(as, "never")).toBe(400);
  });
});
