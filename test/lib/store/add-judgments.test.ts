import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { addJudgments } from "../../../lib/store/add-judgments.ts";
import { judgmentEntity } from "../../../lib/store/judgment.ts";
import * as JudgmentMonth from "../../../lib/store/judgment-month.ts";
import { itemsOf } from "../../support/scan.ts";

it("addJudgments stores a record once when concurrent calls give it different months", async () => {
  const workspace = randomUUID();
  const fields = { recordId: "r", decision: "rejected", reasoning: "A budget.", actionUser: { userId: "u" } } as const;
  const months = ["01", "02", "03", "04"].map((month) => `2026-${month}-01T00:00:00.000Z`);
  await Promise.all(months.map((createdAt) => addJudgments({ workspace }, [{ ...fields, createdAt }])));
  expect((await itemsOf(workspace)).filter(({ entity }) => entity === judgmentEntity.name)).toHaveLength(1);
  expect((await JudgmentMonth.list({ workspace })).reduce((sum, { size }) => sum + size, 0)).toBe(1);
});
