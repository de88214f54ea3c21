import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { searchJudgments } from "../../../lib/memory/search.ts";
import { addJudgments } from "../../../lib/store/ai/add-judgments.ts";
import { judgmentEntity } from "../../../lib/store/ai/judgment.ts";
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
});
