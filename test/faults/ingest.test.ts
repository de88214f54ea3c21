// Each fault at each call of an extraction's worker: the final state is that of a run without a fault.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { AwsCommand } from "../support/aws/edge.ts";
import { atEveryCall, endAfter, faults } from "../support/aws/faults.ts";
import { logs } from "../support/capture-logs.ts";
import { startVendorServer } from "../support/vendor.ts";
import { endOf } from "./end.ts";
import { extraction } from "./scenes.ts";

// Reading a file takes a process and makes no call to AWS. All runs read the same file, so they share one result.
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
  const agent = { name: "N", description: "D", prompt: "P", tasks: [{ first: 1, last: 1 }], userContextFields: [] };
  const answer = { agents: [agent], skipped: [], summary: "S", totalTasksParsed: 27 };

  it.each(faults)("ends as without a fault, and calls the vendor once unless its process died: %s", async (fault) => {
    const vendor = await startVendorServer();
    onTestFinished(vendor.close);
    vendor.behave(JSON.stringify(answer));
    const scene = extraction(() => vendor.baseUrl("openai"));
    const expected = await endOf((await endAfter(scene)).workspace);
    expect(expected.join()).toContain("completed");
    vendor.requests.length = 0;
    const calls = await atEveryCall(scene, fault, async (workspace, what) => {
      expect(await endOf(workspace), what).toEqual(expected);
      const hasDied = fault === "process killed" || fault === "woken after its lease ended";
      expect(vendor.requests.splice(0).length, what).toBeLessThanOrEqual(hasDied ? 2 : 1);
    });
    expect(calls).toBeGreaterThan(10);
  });

  it("uses an answer of the vendor that cannot be stored, and does not pay again", async () => {
    const vendor = await startVendorServer();
    onTestFinished(vendor.close);
    vendor.behave(JSON.stringify(answer));
    const before = ({ input }: AwsCommand) => {
      if (/-answer-/.test(String(input.Key)) && input.Body) throw new Error("The bucket takes nothing.");
    };
    const { workspace } = await endAfter({ ...extraction(() => vendor.baseUrl("openai")), before });
    expect((await endOf(workspace)).join()).toContain("completed");
    expect(vendor.requests).toHaveLength(1);
    expect(logs()).toContainEqual(expect.objectContaining({ message: "The answer of a model was not stored." }));
  });
});
