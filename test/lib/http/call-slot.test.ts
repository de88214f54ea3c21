import { randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { inSlot } from "../../../lib/http/call-slot.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { logs } from "../../support/capture-logs.ts";
import { itemsOf } from "../../support/scan.ts";

afterEach(() => void vi.restoreAllMocks());

const slotsOf = async (workspace: string) => (await itemsOf(workspace)).map(({ until }) => Number(until));

it.each(["fails", "does not end"])("keeps the result of the work, and the lease, when the release %s", async (how) => {
  const workspace = randomUUID();
  const before = Date.now();
  const work = async () => {
    atAwsEdge(async (_command, send) => {
      if (how === "fails") throw new Error("The table is away.");
      return new Promise(() => send);
    });
    return "result";
  };
  expect(await inSlot({ workspace }, "model", work)).toBe("result");
  vi.restoreAllMocks();
  const [until = 0, ...others] = await slotsOf(workspace);
  expect(others).toEqual([]);
  expect(until).toBeGreaterThan(before);
  expect(until).toBeLessThanOrEqual(Date.now() + 35_000);
  expect(logs()).toMatchObject([{ level: "warn", message: "A slot was not released.", workspace, kind: "model" }]);
});

it("releases the slot when the work throws", async () => {
  const workspace = randomUUID();
  const work = async () => {
    throw new Error("The vendor failed.");
  };
  await expect(inSlot({ workspace }, "model", work)).rejects.toThrow("The vendor failed.");
  expect(await slotsOf(workspace)).toEqual([0]);
});
