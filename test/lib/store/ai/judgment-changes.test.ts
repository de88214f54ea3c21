import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { deleteAll } from "../../../../lib/dynamodb/batch-write.ts";
import { searchJudgments } from "../../../../lib/memory/search.ts";
import type { Judgment } from "../../../../lib/schema/memory.ts";
import { judgmentEntity } from "../../../../lib/store/ai/judgment.ts";
import { addJudgments } from "../../../../lib/store/ai/judgment-changes.ts";
import * as JudgmentMonth from "../../../../lib/store/ai/judgment-month.ts";
import { itemsOf } from "../../../support/scan.ts";

it("addJudgments stores a record once when concurrent calls give it different months", async () => {
  const workspace = randomUUID();
  const fields = { recordId: "r", decision: "rejected", reasoning: "A budget.", actionUser: { userId: "u" } } as const;
  const months = ["01", "02", "03", "04"].map((month) => `2026-${month}-01T00:00:00.000Z`);
  await Promise.all(months.map((createdAt) => addJudgments({ workspace }, [{ ...fields, createdAt }])));
  expect((await itemsOf(workspace)).filter(({ entity }) => entity === judgmentEntity.name)).toHaveLength(1);
  expect((await JudgmentMonth.list({ workspace })).months.reduce((sum, { size }) => sum + size, 0)).toBe(1);
});

it("addJudgments of 16 concurrent writers of a month does not fail, and searches between them find every record", async () => {
  const workspace = randomUUID();
  const writers = Array.from({ length: 16 }, (_, index) => index);
  await Promise.all(
    writers.map(async (writer) => {
      for (let call = 0; call < 5; call++) {
        await addJudgments({ workspace }, [judgment(`${writer}-${call}`)]);
        expect(await find(workspace, `${writer}x${call}`)).toEqual([`${writer}-${call}`]);
      }
    }),
  );
  expect(await find(workspace, "budget")).toHaveLength(80);
  const [month] = (await JudgmentMonth.list({ workspace })).months;
  expect(month?.size).toBe(80);
  expect([...(month?.versions.values() ?? [])].reduce((sum, version) => sum + version, 0)).toBe(80);
});

it("addJudgments uses one counter for a month without concurrent writers", async () => {
  const workspace = randomUUID();
  for (const id of ["a", "b", "c"]) await addJudgments({ workspace }, [judgment(id)]);
  expect((await JudgmentMonth.list({ workspace })).months[0]?.versions).toEqual(new Map([[0, 3]]));
});

it("changedSince ignores later changes when it decides whether the log is complete", async () => {
  const workspace = randomUUID();
  for (const id of ["a", "b", "c"]) await addJudgments({ workspace }, [judgment(id)]);
  const month = { workspace, organizationId: "", month: "2026-01" };
  await deleteAll([JudgmentMonth.judgmentChangeEntity.key({ ...month, version: 2 })]);
  expect(await JudgmentMonth.changedSince(month, new Map(), new Map([[0, 2]]))).toBeUndefined();
  expect(await JudgmentMonth.changedSince(month, new Map([[0, 2]]), new Map([[0, 3]]))).toHaveLength(1);
});

function judgment(recordId: string): Judgment {
  const reasoning = `A budget, ${recordId.replace("-", "x")}.`;
  return {
    recordId,
    decision: "rejected",
    reasoning,
    actionUser: { userId: "u" },
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

async function find(workspace: string, question: string): Promise<string[]> {
  const { found } = await searchJudgments({ workspace }, { question, scope: {}, limit: 100 });
  return found.map(({ recordId }) => recordId);
}
