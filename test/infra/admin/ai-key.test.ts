import { PassThrough, Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { aiVendors } from "../../../lib/schema/setting-names.ts";
import { purposes } from "../../../lib/secrets.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { errorLine, mockStack, onStack, run } from "../../support/admin.ts";
import { newWorkspace } from "../../support/call.ts";
import { unseal } from "../../support/unsealed.ts";

mockStack();

const setKey = (apiKey: string, vendor: string) => ["ai-key", "set", "--vendor", vendor, "--workspace", apiKey];

describe("ai-key", () => {
  it("seals each vendor's key for that vendor, and keeps the keys of concurrent commands", async () => {
    const { apiKey } = await newWorkspace();
    await Promise.all(
      aiVendors.map((vendor) => onStack(setKey(apiKey, vendor), Readable.from([`key-of-${vendor}\n`]))),
    );
    const stored = await Setting.get({ workspace: apiKey }, "ai");
    for (const vendor of aiVendors) {
      const context = { workspace: apiKey, purpose: purposes.aiKey[vendor] };
      expect(await unseal(stored[`${vendor}ApiKeySealed`], context)).toBe(`key-of-${vendor}`);
    }
    expect(JSON.stringify(stored)).not.toContain("key-of");
  });

  it.each([
    ["", "is empty"],
    ["\n", "is empty"],
    ["sk-a\nsk-b\n", "must be one line"],
    ["sk-ü", "must be one line"],
    ["x".repeat(9_000), "too long"],
  ])("refuses the input %j without printing or storing it", async (input, reason) => {
    const { apiKey } = await newWorkspace();
    const line = await errorLine([...setKey(apiKey, "openai"), "--stack", "s"], Readable.from([input]));
    expect(line).toContain(reason);
    expect(line).not.toContain("sk-");
    expect((await Setting.get({ workspace: apiKey }, "ai")).openaiApiKeySealed).toBe("");
  });

  it("removes the key of one vendor, and says so if there is none", async () => {
    const { apiKey } = await newWorkspace();
    for (const vendor of ["openai", "gemini"]) await onStack(setKey(apiKey, vendor), Readable.from(["sk-a\n"]));
    const removal = ["ai-key", "remove", "--vendor", "openai", "--workspace", apiKey];
    expect(await onStack(removal)).toEqual({ vendor: "openai", removed: true });
    const stored = await Setting.get({ workspace: apiKey }, "ai");
    expect([stored.openaiApiKeySealed === "", stored.geminiApiKeySealed === ""]).toEqual([true, false]);
    expect(await errorLine([...removal, "--stack", "s"])).toContain("has no API key of openai");
  });

  it("reads the key from a terminal without an echo", async () => {
    const { apiKey } = await newWorkspace();
    const type = (typed: string) => {
      const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: vi.fn() });
      terminal.write(typed);
      return run([...setKey(apiKey, "gemini"), "--stack", "s"], terminal);
    };
    expect(await type("sk-typex\u007fd\r")).toEqual({
      status: 0,
      stdout: "The API key of gemini is set.\n",
      stderr: "API key of gemini: \n",
    });
    const { geminiApiKeySealed } = await Setting.get({ workspace: apiKey }, "ai");
    expect(await unseal(geminiApiKeySealed, { workspace: apiKey, purpose: purposes.aiKey.gemini })).toBe("sk-typed");
    expect(await type("sk-other\u0003")).toMatchObject({ status: 1, stderr: "API key of gemini: \nCancelled.\n" });
    expect(await type("\u0004")).toMatchObject({ status: 1, stderr: expect.stringContaining("is empty") });
  });
});
