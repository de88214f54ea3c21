import { describe, expect, it, vi } from "vitest";
import { choose } from "../../../lib/ai/choice.ts";
import { vendorNamed, vendorOf } from "../../../lib/schema/ai-vendors.ts";
import { settingOf } from "../../../lib/store/setting.ts";

const ai = (fields: object) => settingOf("ai", fields);

describe("choose", () => {
  it("returns the requested vendor, else the workspace's default, else the first with a key", () => {
    const withKeys = { anthropicApiKeySealed: "s1", geminiApiKeySealed: "s2" };
    expect(choose(ai(withKeys), {})).toMatchObject({ vendor: "anthropic", apiKeySealed: "s1" });
    const withDefault = { ...withKeys, defaultProvider: "gemini" };
    expect(choose(ai(withDefault), {})).toMatchObject({ vendor: "gemini", apiKeySealed: "s2" });
    expect(choose(ai(withDefault), { vendor: "openai" })).toMatchObject({ vendor: "openai", apiKeySealed: "" });
    expect(choose(ai({}), {})).toMatchObject({ vendor: "openai", apiKeySealed: "" });
  });

  it("a stand-in replaces every vendor, without a key", () => {
    vi.stubEnv("AI_STAND_IN_URL", "http://127.0.0.1:9");
    const withOwn = ai({ openaiApiKeySealed: "s1", openaiBaseUrl: "https://example.com/v1" });
    const standIn = { vendor: "openai", baseUrl: "http://127.0.0.1:9/openai/v1", apiKeySealed: "", isStandIn: true };
    expect(choose(withOwn, {})).toMatchObject(standIn);
    vi.unstubAllEnvs();
    expect(choose(withOwn, {})).toMatchObject({ baseUrl: "https://example.com/v1", isStandIn: false });
  });

  it("returns the requested model, else the workspace's, else the service's default", () => {
    const set = ai({ openaiModel: "gpt-6" });
    expect(choose(set, { model: "gpt-5" }).model).toBe("gpt-5");
    expect(choose(set, {}).model).toBe("gpt-6");
    expect(vendorOf(choose(ai({}), { vendor: "gemini" }).model)).toBe("gemini");
  });

  it("returns the vendor's own base URL unless the workspace sets one", () => {
    expect(choose(ai({}), {}).baseUrl).toBe("https://api.openai.com/v1");
    expect(choose(ai({ openaiBaseUrl: "https://x.example/v1" }), {}).baseUrl).toBe("https://x.example/v1");
  });
});

it("vendorNamed finds vendors by their names and aliases", () => {
  expect(
    ["openai", "anthropic", "claude", "gemini", "google", "OpenAI", "mistral", "constructor"].map(vendorNamed),
  ).toEqual(["openai", "anthropic", "anthropic", "gemini", "gemini", undefined, undefined, undefined]);
});
