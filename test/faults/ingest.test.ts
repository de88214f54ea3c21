// The worker of an extraction stops at each of its calls, in every way: the end is that of an undisturbed run.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startVendorServer } from "../../infra/local/vendor-server.ts";
import { atEveryCall, endAfter, faults } from "../support/aws/faults.ts";
import { endOf } from "./end.ts";
import { extraction } from "./scenes.ts";

// Each reading takes a process of its own and makes no call to AWS. All runs read the same file, so they share one.
vi.mock(import("../../lib/ingest/sandbox.ts"), async (original) => {
  const { readInSandbox } = await original();
  let read: ReturnType<typeof readInSandbox> | undefined;
  return {
    readInSandbox: async (...file: Parameters<typeof readInSandbox>) => {
      read ??= readInSandbox(...file);
      return structuredClone(await read);
    },
  };
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("an extraction", () => {
  const agent = { name: "N", description: "D", prompt: "P", taskNumbers: [1], userContextFields: [] };
  const answer = { agents: [agent], skipped: [], summary: "S", totalTasksParsed: 27 };

  it.each(faults)("ends as an undisturbed run, and pays the vendor once unless its process died: %s", async (fault) => {
    const vendor = await startVendorServer();
    onTestFinished(vendor.close);
    vendor.behave(JSON.stringify(answer));
    const scene = extraction(() => vendor.baseUrl("openai"));
    const expected = await endOf((await endAfter(scene)).workspace);
    expect(expected.join()).toContain("completed");
    vendor.requests.length = 0;
    const calls = await atEveryCall(scene, fault, async (workspace, what) => {
      expect(await endOf(workspace), what).toEqual(expected);
      const hasDied = fault === "process gone" || fault === "woken after its lease ended";
      expect(vendor.requests.splice(0).length, what).toBeLessThanOrEqual(hasDied ? 2 : 1);
    });
    expect(calls).toBeGreaterThan(10);
  });
});
