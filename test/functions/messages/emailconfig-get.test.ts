import { describe, expect, it } from "vitest";
import { emailconfigGet, handler } from "../../../functions/messages/emailconfig-get.ts";
import { purposes, seal } from "../../../lib/secrets.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, newWorkspace } from "../../support/call.ts";
import { logText } from "../../support/capture-logs.ts";
import { apiKey, config, external, on, read, unset, update } from "../../support/email.ts";
import { callSource, mocked } from "../../support/workspace.ts";

describe("OK", () => {
  it("returns the defaults when nothing was set", async () => {
    expect(await read(await newWorkspace())).toEqual({
      useEmailService: false,
      emailServiceConfig: unset,
    });
  });

  it("returns the stored configuration with the key in plain text, which is in no log", async () => {
    const as = await newWorkspace();
    await update(as, { ...on, ...config({ ...external, fromEmail: "a@example.com" }) });
    const { emailServiceConfig } = await read(as);
    expect(emailServiceConfig).toMatchObject({ ...external, fromEmail: "a@example.com" });
    expect(logText()).toContain('"endpoint":"emailconfig-get"');
    expect(logText()).not.toContain(apiKey);
  });

  it("returns nothing of another workspace", async () => {
    await update(await newWorkspace(), { ...on, ...config(external) });
    expect(await read(await newWorkspace())).toEqual({
      useEmailService: false,
      emailServiceConfig: unset,
    });
  });
});

describe("INTERNAL", () => {
  it("is returned without details for a key that was sealed for another purpose", async () => {
    const as = await newWorkspace();
    const apiKeySealed = await seal(apiKey, { workspace: as.apiKey, purpose: purposes.permissionProvider });
    await Setting.change(
      { workspace: as.apiKey },
      "email",
      await Setting.get({ workspace: as.apiKey }, "email"),
      () => ({ apiKeySealed }),
    );
    const { error } = await call(emailconfigGet, { as });
    expect(error).toEqual({ status: "INTERNAL", message: expect.stringContaining("Something went wrong") });
  });
});

describe("AWS calls", () => {
  it("makes only the read of the credentials, and one call to KMS when there is a key", async () => {
    const aws = mockAws(mocked.rows);
    expect(await callSource(handler, emailconfigGet, {})).toBe(200);
    expect(aws.calls()).toEqual([expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#email$/)]);
    aws.restore();
    const apiKeySealed = `v1.AQ.${Buffer.alloc(12).toString("base64url")}.${Buffer.alloc(16).toString("base64url")}`;
    const sealed = mockAws([
      ...mocked.rows,
      { ...Setting.settingEntity.key({ workspace: "w", setting: "email" }), apiKeySealed },
    ]);
    await callSource(handler, emailconfigGet, {});
    expect(sealed.calls()).toEqual(["Get W#w SETTING#email", "Decrypt"]);
    sealed.restore();
  });
});
