import { describe, expect, it } from "vitest";
import {
  handler,
  permissionproviderconfigGet,
} from "../../../functions/workspace-settings/permissionproviderconfig-get.ts";
import { permissionproviderconfigUpdate } from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { logText } from "../../support/capture-logs.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const permissionProviderConfig = {
  permissionProviderUrl: "https://permissions.example.com/check",
  authToken: "provider-secret-0816",
};
const all = { usePermissionProvider: true, permissionProviderConfig };
const unset = { usePermissionProvider: false, permissionProviderConfig: { permissionProviderUrl: "", authToken: "" } };

const read = (as: Credentials) => must(permissionproviderconfigGet, { as });
const update = (as: Credentials, data: object) => must(permissionproviderconfigUpdate, { as, data });

describe("OK", () => {
  it("returns the defaults when nothing was set, independent of other workspaces", async () => {
    await update(await newWorkspace(), all);
    expect(await read(await newWorkspace())).toEqual(unset);
  });

  it("returns the stored configuration with the token in plain text, which is in no log", async () => {
    const as = await newWorkspace();
    await update(as, all);
    expect(await read(as)).toEqual(all);
    expect(logText()).toContain('"endpoint":"permissionproviderconfig-get"');
    expect(logText()).not.toContain(permissionProviderConfig.authToken);
    await update(as, { usePermissionProvider: false, permissionProviderConfig: { authToken: "" } });
    const emptied = { ...permissionProviderConfig, authToken: "" };
    expect(await read(as)).toEqual({ usePermissionProvider: false, permissionProviderConfig: emptied });
  });
});

describe("AWS calls", () => {
  it("makes only the read of the credentials when there is no token", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, permissionproviderconfigGet, {});
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#permissionProvider$/),
    ]);
    aws.restore();
  });
});
