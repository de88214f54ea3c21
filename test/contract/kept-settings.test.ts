// Settings that containers keep for a second, and organizations that they have seen. Each function has a bundle here, and
// so a container of its own.
import { decodeProtectedHeader } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { permissionsRemove } from "../../functions/access/permissions-remove.ts";
import { usersDelete } from "../../functions/access/users-delete.ts";
import { notificationsConfigGet } from "../../functions/collaboration/notifications-config-get.ts";
import { documentsAdd } from "../../functions/content/documents-add.ts";
import { documentsGet } from "../../functions/content/documents-get.ts";
import { organizationsAdd } from "../../functions/content/organizations-add.ts";
import { advancedwebhookconfigUpdate } from "../../functions/workspace/advancedwebhookconfig-update.ts";
import { permissionproviderconfigUpdate } from "../../functions/workspace/permissionproviderconfig-update.ts";
import { webhookEndpointsCreate } from "../../functions/workspace/webhook-endpoints-create.ts";
import { webhookEndpointsDelete } from "../../functions/workspace/webhook-endpoints-delete.ts";
import { webhookEndpointsGet } from "../../functions/workspace/webhook-endpoints-get.ts";
import { rotateKey } from "../../lib/access/signing-keys.ts";
import { workspacePurgeJob } from "../../lib/deletion/purge-job.ts";
import { commit } from "../../lib/jobs/commit.ts";
import * as Setting from "../../lib/store/setting.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { type Credentials, call, must, newWorkspace } from "../support/call.ts";
import { logs } from "../support/capture-logs.ts";
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
  vi.stubEnv("SETTINGS_KEPT_MS", "1000");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const costOfLast = () => {
  const { roundTrips, readUnits, writeUnits } = logs().findLast(({ message }) => message === "call") ?? {};
  return { roundTrips, readUnits, writeUnits };
};

describe("a call of a container that has served the organization within the last second", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));

  const addOne = (documentId: string, headers = {}) =>
    must(documentsAdd, { as, headers, data: { organizationId, documents: [{ documentId }] } });

  it("reads only the document that documents-add adds", async () => {
    await addOne("first");
    await addOne("second");
    expect(costOfLast()).toEqual({ roundTrips: 2, readUnits: 1, writeUnits: 6 });
  });

  it("reads only the user, the document and the grant that get-permissions asks for", async () => {
    await addDocuments(as, undefined, "d");
    await onOne(as, "u", "d");
    await onOne(as, "u", "d");
    expect(costOfLast()).toEqual({ roundTrips: 2, readUnits: 3, writeUnits: 0 });
  });

  it("reads the settings and the organization again after a second", async () => {
    await onWhole(as, "u");
    vi.setSystemTime(Date.now() + 1_000);
    await onWhole(as, "u");
    expect(costOfLast()).toMatchObject({ roundTrips: 1, readUnits: 4 });
    await onWhole(as, "u");
    expect(costOfLast()).toMatchObject({ roundTrips: 1, readUnits: 1 });
  });
});

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
    // Creates the first key: a missing one is not kept.
    await rotateKey(as.apiKey, true);
    const before = await kidOf();
    const rotated = await rotateKey(as.apiKey, true);
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

describe("a change that was made by a call without a reply", () => {
  const isOn = async () => !(await call(webhookEndpointsGet, { as, data: {} })).error;

  it("is seen by calls after the repetition that finds it made", async () => {
    expect(await isOn()).toBe(false);
    await commit([Setting.updating({ workspace: as.apiKey }, "switches", { advancedWebhooks: true })]);
    await must(advancedwebhookconfigUpdate, { as, data: { isEnabled: true } });
    expect(await isOn()).toBe(true);
  });
});

describe("a function with all settings and the organization kept refuses", () => {
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
    expect(await Workspace.remove({ workspace: as.apiKey }, workspacePurgeJob(as.apiKey))).toBe(true);
    vi.setSystemTime(Date.now() + 30_000);
    const { error } = await call(documentsGet, { as, data: { organizationId } });
    expect(error?.status).toBe("PERMISSION_DENIED");
  });
});

describe("an organization that a container has not found", () => {
  it("is read again in the next call, and is not one of another workspace", async () => {
    const get = async (caller: Credentials, id: string) =>
      (await call(documentsGet, { as: caller, data: { organizationId: id } })).status;
    expect(await get(as, "later")).toBe(404);
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "later" }] } });
    expect(await get(as, "later")).toBe(200);
    expect(await get(await newWorkspace(), "later")).toBe(404);
    expect(await get(as, "never")).toBe(404);
  });
});
