import { afterEach, describe, expect, it, vi } from "vitest";
import { allPurposes, purposes } from "../../../lib/purposes.ts";
import { addressProblem, secretAddresses, withoutMovedSecrets } from "../../../lib/store/secret-addresses.ts";
import { settingOf } from "../../../lib/store/setting.ts";

afterEach(() => void vi.unstubAllEnvs());

it("each purpose of a sealed value says whether its secret is sent to an address that the workspace sets", () => {
  const sentTo = Object.fromEntries(allPurposes.map((each) => [each, secretAddresses[each]?.address ?? "nowhere"]));
  expect(sentTo).toEqual({
    idempotency: "nowhere",
    "email-api-key": "nowhere",
    "slack-bot-token": "nowhere",
    "address-hash": "nowhere",
    "permission-provider": "permissionProviderUrl",
    "signing-key": "nowhere",
    "records-key": "nowhere",
    "erasure-task": "nowhere",
    "webhook-secret": "nowhere",
    "ai-key-openai": "openaiBaseUrl",
    "ai-key-anthropic": "anthropicBaseUrl",
    "ai-key-gemini": "geminiBaseUrl",
  });
});

const declared = allPurposes.flatMap((each) => secretAddresses[each] ?? []);

it.each(declared)("$secret and $address are fields of a setting whose changes are conditional", (each) => {
  const fields = Object.keys(settingOf(each.setting, undefined));
  expect(fields).toEqual(expect.arrayContaining([each.secret, each.address, "revision"]));
});

it.each(declared)("$secret is cleared when the origin of $address changes, and only then", (each) => {
  const stored = { [each.secret]: "sealed", [each.address]: "https://example.com/a" };
  const secretAfter = (fields: Record<string, string>) =>
    ({ ...stored, ...withoutMovedSecrets(each.setting, stored, fields) })[each.secret];
  const at = (url: string) => secretAfter({ [each.address]: url });
  for (const same of ["https://example.com/b?c#d", "https://EXAMPLE.com:443/"]) expect(at(same), same).toBe("sealed");
  const others = [
    "https://example.com.",
    "https://example.com:444",
    "http://example.com:443",
    "https://example.org",
    "",
  ];
  for (const other of others) expect(at(other), other).toBe("");
  expect(secretAfter({ [each.address]: "https://example.org", [each.secret]: "new" })).toBe("new");
  expect(secretAfter({ another: "field" })).toBe("sealed");
});

describe("addressProblem", () => {
  const { permissionProvider, aiKey } = purposes;

  it.each(["http://example.com/", "http://8.8.8.8/", "http://127.0.0.1.example.com/", "http://[2606:4700::1]/"])(
    "refuses %s, which is not encrypted",
    (url) => {
      expect(addressProblem(permissionProvider, url)).toContain("https://");
    },
  );

  it("accepts http on loopback only where the operator allows loopback", () => {
    expect(addressProblem(permissionProvider, "http://127.0.0.1:9/")).toBeUndefined();
    expect(addressProblem(permissionProvider, "http://localhost:9/")).toBeUndefined();
    expect(addressProblem(permissionProvider, "http://[::1]:9/")).toContain("public");
  });

  it("accepts only the origins that the operator lists for the purpose", () => {
    vi.stubEnv("AI_ORIGINS", "https://ai.example.com,https://other.example.com:8443");
    expect(addressProblem(aiKey.gemini, "https://ai.example.com/v1")).toBeUndefined();
    expect(addressProblem(aiKey.gemini, "https://other.example.com:8443/v1")).toBeUndefined();
    for (const url of ["https://other.example.com/v1", "https://ai.example.com.evil.example/"]) {
      expect(addressProblem(aiKey.openai, url), url).toContain("does not allow");
    }
    expect(addressProblem(permissionProvider, "https://evil.example/")).toBeUndefined();
    vi.stubEnv("PERMISSION_PROVIDER_ORIGINS", "none");
    expect(addressProblem(permissionProvider, "https://none/")).toContain("does not allow");
  });
});
