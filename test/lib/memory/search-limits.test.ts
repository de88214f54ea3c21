import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { searchJudgments } from "../../../lib/memory/search.ts";
import { judgmentEntity } from "../../../lib/store/ai/judgment.ts";
import { addJudgments } from "../../../lib/store/ai/judgment-changes.ts";
import { judgmentMonthEntity } from "../../../lib/store/ai/judgment-month.ts";

let workspace: string;

beforeEach(() => {
  workspace = randomUUID();
});

describe("a memory that is larger than one call may read", () => {
  const days = ["01", "02", "03", "04", "05", "06"];
  const search = (costs: { roundTrips?: number; readUnits?: number }, question = "budget", limit = 10) => {
    const record = newCall("r");
    Object.assign(record.cost, costs);
    const work = () => searchJudgments({ workspace }, { question, scope: {}, limit });
    return inCall(record, async () => ({ ...(await work()), cost: record.cost }));
  };

  /** Six records of 250 KB: four of them are one page. */
  beforeEach(async () => {
    const month = { workspace, organizationId: "", month: "2026-01" };
    const puts = days.map((day) => {
      const createdAt = `2026-01-${day}T00:00:00.000Z`;
      const reasoning = `A budget. ${"x".repeat(250_000)}`;
      const record = { recordId: `r${day}`, createdAt, decision: "rejected", actionUser: { userId: "u" } } as const;
      return judgmentEntity.put({ ...month, ...record }, { ...record, reasoning });
    });
    await putAll([
      ...puts,
      judgmentMonthEntity.put(month, {
        organizationId: "",
        month: "2026-01",
        version: 1,
        since: "2026-01-01T00:00:00.000Z",
        size: 6,
      }),
    ]);
  });

  it.each([{ roundTrips: 248 }, { readUnits: 8_350 }])(
    "is read page by page by calls that have cost %j",
    async (costs) => {
      const first = await search(costs);
      expect(first).toMatchObject({ isPartial: true });
      expect(first.found.length).toBeLessThan(6);
      expect(first.cost.roundTrips).toBe((costs.roundTrips ?? 0) + 3);
      const second = await search(costs);
      expect(second).toMatchObject({ isPartial: false });
      expect(second.found).toHaveLength(6);
      expect(second.cost.roundTrips).toBe((costs.roundTrips ?? 0) + 3);
      expect((await search(costs)).cost.roundTrips).toBe((costs.roundTrips ?? 0) + 2);
    },
  );

  it("leaves room for the records that it returns", async () => {
    expect(await search({ readUnits: 3_900 }, "budget", 100)).toMatchObject({ isPartial: true });
    expect(await search({ readUnits: 3_900 }, "budget", 10)).toMatchObject({ isPartial: false });
  });

  it("is searched without a month that changed when the call can read no more", async () => {
    await search({});
    const fields = {
      decision: "rejected",
      actionUser: { userId: "u" },
      createdAt: "2026-01-02T00:00:00.000Z",
    } as const;
    await addJudgments({ workspace }, [{ recordId: "new", reasoning: "Alpha.", ...fields }]);
    expect(await search({ roundTrips: 250 })).toMatchObject({ found: [], isPartial: true });
    expect(await search({}, "alpha")).toMatchObject({ found: [{ recordId: "new" }], isPartial: false });
  });

  const addMany = (count: number, reasoning: string) => {
    const fields = {
      decision: "rejected",
      actionUser: { userId: "u" },
      createdAt: "2026-01-02T00:00:00.000Z",
    } as const;
    const added = Array.from({ length: count }, (_, index) => ({ recordId: `new${index}`, reasoning, ...fields }));
    return addJudgments({ workspace }, added);
  };

  it("is read again when one call cannot read its changes", async () => {
    await search({});
    await addMany(101, "Alpha.");
    expect(await search({ roundTrips: 247 }, "alpha")).toMatchObject({ found: [], isPartial: true });
    expect((await search({ roundTrips: 247 }, "alpha")).found).toHaveLength(10);
  });

  it("is read again, page by page, when its changes would take too much memory", async () => {
    await search({});
    await addMany(201, `Alpha. ${"x".repeat(60_000)}`);
    const { found, cost } = await search({}, "alpha");
    expect(found).toHaveLength(10);
    expect(cost.roundTrips).toBeGreaterThan(13);
  });
});

describe("a memory that takes longer to index than one call may take", () => {
  const { normalize } = String.prototype;
  const ids = Array.from({ length: 300 }, (_, index) => `r${index}`);
  let indexed: number;

  /** Each record takes 100 ms. */
  beforeEach(() => {
    indexed = 0;
    vi.useFakeTimers({ toFake: ["hrtime"] });
    vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form) {
      if (form === "NFKC") {
        indexed += 1;
        vi.advanceTimersByTime(100);
      }
      return normalize.call(this, form);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  const add = (reasoning: string) =>
    addJudgments(
      { workspace },
      ids.map((recordId) => ({
        recordId,
        reasoning,
        decision: "rejected",
        actionUser: { userId: "u" },
        createdAt: "2026-01-02T00:00:00.000Z",
      })),
    );
  const search = async (question: string) => {
    indexed = 0;
    const scope = {};
    const { found, isPartial } = await searchJudgments({ workspace }, { question, scope, limit: 1 });
    return [isPartial, indexed, found.length];
  };

  it("is indexed in steps of 10 seconds by several calls", async () => {
    await add("Das Gehör, ein budget.");
    expect(await search("budget")).toEqual([true, 100, 1]);
    expect(await search("budget")).toEqual([true, 100, 1]);
    expect(await search("budget")).toEqual([false, 100, 1]);
    expect(await search("budget")).toEqual([false, 0, 1]);
  });

  it("is indexed again in such steps when the changes since are too many for one call", async () => {
    await add("A budget.");
    expect(await search("budget")).toEqual([false, 0, 1]);
    await add("Das Gehör, ein discount.");
    expect(await search("discount")).toEqual([true, 100, 0]);
    expect(await search("discount")).toEqual([true, 100, 1]);
    expect(await search("discount")).toEqual([true, 100, 1]);
    expect(await search("discount")).toEqual([false, 100, 1]);
  });
});
