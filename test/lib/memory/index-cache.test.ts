import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { deleteAll } from "../../../lib/dynamodb/batch-write.ts";
import { searchJudgments } from "../../../lib/memory/search.ts";
import { addJudgments } from "../../../lib/store/ai/add-judgments.ts";
import { judgmentChangeEntity } from "../../../lib/store/ai/judgment-month.ts";
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
