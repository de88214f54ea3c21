import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { inCall, newCallRecord } from "../../../lib/call.ts";
import { deleteAll, putAll } from "../../../lib/dynamodb/batch-write.ts";
import { searchJudgments } from "../../../lib/memory/search.ts";
import { addJudgments } from "../../../lib/store/add-judgments.ts";
import { judgmentEntity } from "../../../lib/store/judgment.ts";
import { judgmentChangeEntity, judgmentMonthEntity } from "../../../lib/store/judgment-month.ts";
import { itemsOf } from "../../support/scan.ts";

let workspace: string;

beforeEach(() => {
  workspace = randomUUID();
});

const find = async (question: string) =>
  (await searchJudgments({ workspace }, { question, scope: {}, limit: 10 })).found.map(({ recordId }) => recordId);

async function replace(recordId: string, reasoning: string): Promise<void> {
  const fields = { decision: "rejected", actionUser: { userId: "u" }, createdAt: "2026-01-02T00:00:00.000Z" } as const;
  await addJudgments({ workspace }, [{ recordId, reasoning, ...fields }]);
}

it("searchJudgments finds both of two changes when a search between them has cached the index", async () => {
  await replace("r1", "Alpha.");
  await replace("r2", "Beta.");
  expect(await find("alpha")).toEqual(["r1"]);
  await replace("r1", "Gamma.");
  expect(await find("gamma")).toEqual(["r1"]);
  await replace("r2", "Delta.");
  expect(await find("delta")).toEqual(["r2"]);
  expect(await find("gamma")).toEqual(["r1"]);
  expect(await find("alpha")).toEqual([]);
});

it("searchJudgments reads a month again when the log of its changes has a gap", async () => {
  await replace("r1", "Alpha.");
  expect(await find("alpha")).toEqual(["r1"]);
  await replace("r1", "Gamma.");
  // As when the entries of the log expire.
  await deleteAll((await itemsOf(workspace)).filter(({ entity }) => entity === judgmentChangeEntity.name));
  await replace("r2", "Delta.");
  expect(await find("delta")).toEqual(["r2"]);
  expect(await find("gamma")).toEqual(["r1"]);
  expect(await find("alpha")).toEqual([]);
});

describe("a memory that is larger than one call may read", () => {
  const days = ["01", "02", "03", "04", "05", "06"];
  const search = (costs: { roundTrips?: number; readUnits?: number }, question = "budget") => {
    const record = newCallRecord("r", new AbortController().signal);
    Object.assign(record.cost, costs);
    const work = () => searchJudgments({ workspace }, { question, scope: {}, limit: 10 });
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
      judgmentMonthEntity.put(month, { organizationId: "", month: "2026-01", version: 1, size: 6 }),
    ]);
  });

  it.each([{ roundTrips: 248 }, { readUnits: 6_900 }])(
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

  it("is searched without a month that changed when the call can read no more", async () => {
    await search({});
    await replace("r01", "Alpha.");
    expect(await search({ roundTrips: 250 })).toMatchObject({ found: [], isPartial: true });
    expect(await search({}, "alpha")).toMatchObject({ found: [{ recordId: "r01" }], isPartial: false });
  });
});
