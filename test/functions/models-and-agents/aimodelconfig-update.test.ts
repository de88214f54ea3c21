import { describe, expect, it } from "vitest";
import { aimodelconfigGet } from "../../../functions/models-and-agents/aimodelconfig-get.ts";
import { aimodelconfigUpdate, handler } from "../../../functions/models-and-agents/aimodelconfig-update.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { aiVendors } from "../../../lib/schema/setting-names.ts";
import { purposes } from "../../../lib/secrets.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { logText } from "../../support/capture-logs.ts";
import { unseal } from "../../support/unsealed.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const apiKey = "sk-secret-0815";
const baseUrl = "https://gateway.example.com/v1";
const empty = { apiKey: "", baseUrl: "", model: "" };
const initial = { providers: { openai: empty, anthropic: empty, gemini: empty }, defaultProvider: "" };

const update = (as: Credentials, data: object) => must(aimodelconfigUpdate, { as, data });
const get = (as: Credentials) => must(aimodelconfigGet, { as, data: {} });

describe("OK", () => {
  it("returns empty fields when nothing was set", async () => {
    expect(await get(await newWorkspace())).toEqual(initial);
  });

  it("stores the given fields, and returns them with masked keys", async () => {
    const as = await newWorkspace();
    const openai = { apiKey, baseUrl: `${baseUrl}/`, model: "gpt-5" };
    const reply = await update(as, { providers: { openai, gemini: { apiKey } }, defaultProvider: "gemini" });
    const masked = "••••••••";
    const providers = {
      openai: { apiKey: masked, baseUrl, model: "gpt-5" },
      anthropic: empty,
      gemini: { ...empty, apiKey: masked },
    };
    expect(reply).toEqual({ providers, defaultProvider: "gemini" });
    expect(await get(as)).toEqual(reply);
  });

  it("keeps a key whose mask is sent", async () => {
    const as = await newWorkspace();
    const reply = await update(as, { providers: { openai: { apiKey, baseUrl } } });
    const sealed = async () => (await Setting.get({ workspace: as.apiKey }, "ai")).openaiApiKeySealed;
    const before = await sealed();
    expect(await update(as, reply)).toEqual(reply);
    expect(await sealed()).toBe(before);
  });

  it("seals each key for its workspace and vendor, and stores or logs no plain text", async () => {
    const as = await newWorkspace();
    const providers = Object.fromEntries(aiVendors.map((vendor) => [vendor, { apiKey: `${apiKey}-${vendor}` }]));
    const { body } = await call(aimodelconfigUpdate, { as, data: { providers } });
    const item = await Table.get(Setting.settingEntity.key({ workspace: as.apiKey, setting: "ai" }));
    expect(JSON.stringify([item, body]) + logText()).not.toContain(apiKey);
    const ai = await Setting.get({ workspace: as.apiKey }, "ai");
    for (const vendor of aiVendors) {
      const context = { workspace: as.apiKey, purpose: purposes.aiKey[vendor] };
      expect(await unseal(ai[`${vendor}ApiKeySealed`], context)).toBe(`${apiKey}-${vendor}`);
      await expect(unseal(ai[`${vendor}ApiKeySealed`], { ...context, workspace: "another" })).rejects.toThrow();
    }
    await expect(
      unseal(ai.openaiApiKeySealed, { workspace: as.apiKey, purpose: purposes.aiKey.anthropic }),
    ).rejects.toThrow();
  });

  it("keeps omitted fields, and removes fields that are sent empty", async () => {
    const as = await newWorkspace();
    await update(as, { providers: { openai: { apiKey, baseUrl, model: "gpt-5" } } });
    const { openaiApiKeySealed } = await Setting.get({ workspace: as.apiKey }, "ai");
    await update(as, { providers: { anthropic: { model: "claude-opus-5" }, openai: { model: "gpt-5-mini" } } });
    const ai = await Setting.get({ workspace: as.apiKey }, "ai");
    expect(ai).toMatchObject({ openaiApiKeySealed, openaiBaseUrl: baseUrl, openaiModel: "gpt-5-mini" });
    await update(as, { defaultProvider: "anthropic" });
    await update(as, { providers: { openai: { apiKey: "", baseUrl: "", model: "" } } });
    const anthropic = { ...empty, model: "claude-opus-5" };
    expect(await get(as)).toEqual({ providers: { ...initial.providers, anthropic }, defaultProvider: "anthropic" });
    expect((await update(as, { defaultProvider: "" })).defaultProvider).toBe("");
  });

  it.each(aiVendors)("removes the key of %s when its address moves to another origin", async (vendor) => {
    const as = await newWorkspace();
    const keyAfter = async (data: object) =>
      (await update(as, { providers: { [vendor]: data } })).providers[vendor].apiKey;
    const providers = Object.fromEntries(aiVendors.map((each) => [each, { apiKey, baseUrl }]));
    await update(as, { providers });
    expect(await keyAfter({ baseUrl: "https://GATEWAY.example.com:443/v2" })).toBe("••••••••");
    expect(await keyAfter({ baseUrl: "https://gateway.example.com.evil.example/v1" })).toBe("");
    const ai = await Setting.get({ workspace: as.apiKey }, "ai");
    const kept = aiVendors.filter((each) => ai[`${each}ApiKeySealed`] !== "");
    expect(kept).toEqual(aiVendors.filter((each) => each !== vendor));
    expect(await keyAfter({ baseUrl, apiKey })).toBe("••••••••");
    expect(await keyAfter({ baseUrl: "" })).toBe("");
  });

  it("keeps the key when the address changes between none and the vendor's own", async () => {
    const as = await newWorkspace();
    await update(as, { providers: { openai: { apiKey } } });
    const keyAt = async (url: string) =>
      (await update(as, { providers: { openai: { baseUrl: url } } })).providers.openai;
    expect(await keyAt("https://api.openai.com/v1")).toMatchObject({ apiKey: "••••••••" });
    expect(await keyAt("")).toMatchObject({ apiKey: "••••••••" });
  });

  it("changes only the caller's workspace", async () => {
    const [as, other] = [await newWorkspace(), await newWorkspace()];
    await update(as, { providers: { openai: { apiKey } } });
    expect(await get(other)).toEqual(initial);
  });
});

describe("INVALID_ARGUMENT", () => {
  const refused: [string, object, string[]][] = [
    ["nothing to change", {}, []],
    ["an unknown default provider", { defaultProvider: "mistral" }, ["defaultProvider"]],
    ["a key with a line break", { providers: { openai: { apiKey: "a\nb" } } }, ["providers", "openai", "apiKey"]],
    ["a model that is a path", { providers: { gemini: { model: "../x" } } }, ["providers", "gemini", "model"]],
    ...[
      "no url",
      "file:///etc/passwd",
      "http://10.0.0.1/v1",
      "http://example.com/v1",
      "https://u:p@example.com/v1",
      "https://example.com/v1?a=b",
    ].map((url): [string, object, string[]] => [
      `the base URL ${url}`,
      { providers: { openai: { apiKey }, anthropic: { baseUrl: url } } },
      ["providers", "anthropic", "baseUrl"],
    ]),
  ];

  it.each(refused)("is returned for %s, and nothing is stored", async (_, data, path) => {
    const as = await newWorkspace();
    const { error } = await call(aimodelconfigUpdate, { as, data });
    expect(error?.status).toBe("INVALID_ARGUMENT");
    expect(error?.details?.issues).toMatchObject([{ path }]);
    expect(error?.message).not.toContain("u:p");
    expect(await Table.get(Setting.settingEntity.key({ workspace: as.apiKey, setting: "ai" }))).toBeUndefined();
  });
});

describe("AWS calls", () => {
  const read = expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#ai$/);

  it("makes one read, one update, and one data key for each API key", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, aimodelconfigUpdate, { providers: { openai: { apiKey }, gemini: { apiKey } } });
    const update = "TransactWrite Update W#w SETTING#ai if {no revision}";
    expect(aws.calls()).toEqual([read, update, "GenerateDataKey", "GenerateDataKey"]);
    aws.restore();
  });
});
