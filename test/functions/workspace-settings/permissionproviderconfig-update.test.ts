import { afterEach, describe, expect, it, vi } from "vitest";
import {
  handler,
  permissionproviderconfigUpdate,
} from "../../../functions/workspace-settings/permissionproviderconfig-update.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { purposes } from "../../../lib/secrets.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";
import { logText } from "../../support/capture-logs.ts";
import { unseal } from "../../support/unsealed.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const endpoint = permissionproviderconfigUpdate;
const permissionProviderUrl = "https://permissions.example.com/check";
const authToken = "provider-secret-0815";
const all = { usePermissionProvider: true, permissionProviderConfig: { permissionProviderUrl, authToken } };

const update = (as: Credentials, data: object) => must(endpoint, { as, data });
const stored = ({ apiKey }: Credentials) => Setting.get({ workspace: apiKey }, "permissionProvider");

afterEach(() => void vi.restoreAllMocks());

describe("OK", () => {
  it("stores the given fields, and returns them with a masked token", async () => {
    const as = await newWorkspace();
    expect(await update(as, all)).toEqual({
      usePermissionProvider: true,
      permissionProviderConfig: { permissionProviderUrl, authToken: "••••••••" },
    });
    expect(await stored(as)).toMatchObject({ usePermissionProvider: true, permissionProviderUrl });
  });

  it("seals the token for its workspace and purpose; table, reply and logs have no plain text", async () => {
    const as = await newWorkspace();
    const { body } = await call(endpoint, { as, data: all });
    const item = await Table.get<{ authTokenSealed: string }>(
      Setting.settingEntity.key({ workspace: as.apiKey, setting: "permissionProvider" }),
    );
    const everywhere = JSON.stringify([item, body]) + logText();
    expect(logText()).toContain('"endpoint":"permissionproviderconfig-update"');
    for (const text of [authToken, Buffer.from(authToken).toString("base64url")])
      expect(everywhere).not.toContain(text);
    const sealed = item?.authTokenSealed as string;
    const context = { workspace: as.apiKey, purpose: purposes.permissionProvider };
    expect(await unseal(sealed, context)).toBe(authToken);
    await expect(unseal(sealed, { ...context, workspace: "another" })).rejects.toThrow();
    await expect(unseal(sealed, { ...context, purpose: purposes.emailApiKey })).rejects.toThrow();
  });

  it("keeps the token when its mask is sent, but not at another origin", async () => {
    const as = await newWorkspace();
    const reply = await update(as, all);
    const { authTokenSealed } = await stored(as);
    expect(await update(as, reply)).toEqual(reply);
    expect(await stored(as)).toMatchObject({ authTokenSealed });
    const { authToken } = reply.permissionProviderConfig;
    await update(as, { permissionProviderConfig: { permissionProviderUrl: "https://other.example.com", authToken } });
    expect(await stored(as)).toMatchObject({ authTokenSealed: "" });
  });

  it("keeps omitted fields", async () => {
    const as = await newWorkspace();
    await update(as, all);
    const { authTokenSealed } = await stored(as);
    const moved = "https://permissions.example.com:443/2";
    await update(as, { usePermissionProvider: false });
    await update(as, { permissionProviderConfig: { permissionProviderUrl: moved, authToken: null } });
    const settings = { usePermissionProvider: false, permissionProviderUrl: moved };
    expect(await stored(as)).toMatchObject({ ...settings, authTokenSealed });
    await update(as, { permissionProviderConfig: { authToken: "another" } });
    expect(await stored(as)).toMatchObject(settings);
    expect((await stored(as)).authTokenSealed).not.toBe(authTokenSealed);
  });

  it.each(["https://example.com/", "https://permissions.example.com:8443/check", ""])(
    "removes the token when the address moves to the origin of %j, unless the call sends one",
    async (moved) => {
      const as = await newWorkspace();
      await update(as, { ...all, usePermissionProvider: false });
      const change = { permissionProviderUrl: moved };
      expect(await update(as, { permissionProviderConfig: change })).toEqual({
        usePermissionProvider: false,
        permissionProviderConfig: { permissionProviderUrl: moved, authToken: "" },
      });
      expect((await stored(as)).authTokenSealed).toBe("");
      await update(as, { permissionProviderConfig: all.permissionProviderConfig });
      await update(as, { permissionProviderConfig: { ...change, authToken: "another" } });
      const context = { workspace: as.apiKey, purpose: purposes.permissionProvider };
      expect(await unseal((await stored(as)).authTokenSealed, context)).toBe("another");
    },
  );

  it("removes the token when the address moves while another call sets a token for the old address", async () => {
    const as = await newWorkspace();
    await update(as, { permissionProviderConfig: { permissionProviderUrl } });
    let isRaced = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (isRaced || name !== "TransactWriteCommand") return;
      isRaced = true;
      await update(as, { permissionProviderConfig: { authToken } });
    });
    const data = { permissionProviderConfig: { permissionProviderUrl: "https://example.com/" } };
    const reply = await handler(eventOf(endpoint, { as, data }) as never, contextOf(endpoint.name) as never);
    expect(reply).toHaveProperty("statusCode", 200);
    expect(isRaced).toBe(true);
    expect((await stored(as)).authTokenSealed).toBe("");
  });

  it("removes the token when an empty one is sent", async () => {
    const as = await newWorkspace();
    await update(as, all);
    const reply = await update(as, { permissionProviderConfig: { authToken: "" } });
    expect(reply.permissionProviderConfig.authToken).toBe("");
    expect((await stored(as)).authTokenSealed).toBe("");
  });

  it("changes only the caller's workspace", async () => {
    const other = await newWorkspace();
    await update(await newWorkspace(), all);
    expect(await stored(other)).toMatchObject({ usePermissionProvider: false, permissionProviderUrl: "" });
  });
});

describe("INVALID_ARGUMENT", () => {
  const urls = [
    "nonsense",
    "ftp://example.com",
    "http://example.com/permissions",
    "https://user:pass@example.com",
    "http://10.0.0.1/",
    "http://[::1]/",
    "http://169.254.169.254/latest",
  ];

  it.each(["a b", "a\r\nb", "🦜", "ä", "\u007f"])(
    "is returned for the token %j, which no header can have",
    async (token) => {
      const as = await newWorkspace();
      const { error } = await call(endpoint, { as, data: { permissionProviderConfig: { authToken: token } } });
      expect(error).toMatchObject({
        status: "INVALID_ARGUMENT",
        details: { issues: [{ path: ["permissionProviderConfig", "authToken"] }] },
      });
    },
  );

  it.each(urls)("is returned for the address %s, and nothing is stored", async (permissionProviderUrl) => {
    const as = await newWorkspace();
    const data = { usePermissionProvider: true, permissionProviderConfig: { permissionProviderUrl, authToken } };
    const { error } = await call(endpoint, { as, data });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      details: { issues: [{ path: ["permissionProviderConfig", "permissionProviderUrl"] }] },
    });
    expect(error?.message).not.toContain("pass@");
    expect(
      await Table.get(Setting.settingEntity.key({ workspace: as.apiKey, setting: "permissionProvider" })),
    ).toBeUndefined();
  });

  it("is returned for enabling without an address, and for removing the address while it is enabled", async () => {
    const as = await newWorkspace();
    expect((await call(endpoint, { as, data: { usePermissionProvider: true } })).error?.status).toBe(
      "INVALID_ARGUMENT",
    );
    await update(as, all);
    const data = { permissionProviderConfig: { permissionProviderUrl: "" } };
    expect((await call(endpoint, { as, data })).error?.status).toBe("INVALID_ARGUMENT");
    expect(await stored(as)).toMatchObject({ permissionProviderUrl });
  });

  const enabling = { usePermissionProvider: true };
  const clearing = { permissionProviderConfig: { permissionProviderUrl: "" } };

  it.each([
    ["enabling while another call removes the address", enabling, clearing],
    ["removing the address while another call enables", clearing, enabling],
  ])("is returned for %s", async (_, data, other) => {
    const as = await newWorkspace();
    await update(as, { permissionProviderConfig: { permissionProviderUrl } });
    let isRaced = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (isRaced || name !== "TransactWriteCommand") return;
      isRaced = true;
      await update(as, other);
    });
    const event = eventOf(endpoint, { as, data });
    expect(await handler(event as never, contextOf(endpoint.name) as never)).toHaveProperty("statusCode", 400);
    expect(isRaced).toBe(true);
    const { usePermissionProvider, permissionProviderUrl: url } = await stored(as);
    expect(usePermissionProvider && !url).toBe(false);
  });

  it("is returned for an update without fields, and for wrong types", async () => {
    const as = await newWorkspace();
    for (const data of [{}, { usePermissionProvider: "yes" }, { permissionProviderConfig: [] }]) {
      expect((await call(endpoint, { as, data })).error?.status).toBe("INVALID_ARGUMENT");
    }
  });
});

describe("AWS calls", () => {
  it("makes one read, one update and one data key", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, endpoint, all);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#permissionProvider$/),
      "TransactWrite Update W#w SETTING#permissionProvider if {no revision}",
      "GenerateDataKey",
    ]);
    aws.restore();
  });
});
