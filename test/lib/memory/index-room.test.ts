// An index that has no room for all records of a month.
import { expect, it, vi } from "vitest";
import { searchJudgments } from "../../../lib/memory/search.ts";
import { addJudgments } from "../../../lib/store/ai/judgment-changes.ts";

vi.mock("../../../lib/memory/search-limits.ts", async (original) => ({
  ...(await original<object>()),
  searchBytesMax: 1,
  segmentCharactersMax: 1,
}));

it("each search finds the newest records, as many as there is room for, and says that it is partial", async () => {
  const fields = { decision: "rejected", actionUser: { userId: "u" } } as const;
  // More than one page of the table.
  const judgments = Array.from({ length: 18 }, (_, index) => ({
    ...{ ...fields, recordId: `r${index}`, reasoning: `Alpha. ${"b".repeat(60_000)}` },
    createdAt: `2026-01-02T00:00:00.0${10 + index}Z`,
  }));
  await addJudgments({ workspace: "w" }, judgments);
  for (let search = 0; search < 2; search++) {
    const { found, isPartial } = await searchJudgments({ workspace: "w" }, { question: "alpha", scope: {}, limit: 18 });
    const ids = found.map(({ recordId }) => recordId);
    const [newest, oldest] = [ids.includes("r17"), ids.includes("r0")];
    expect({ search, isPartial, newest, oldest }).toEqual({ search, isPartial: true, newest: true, oldest: false });
  }
});
