import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import { deleteAll, putAll } from "../../../lib/dynamodb/batch-write.ts";
import { readSegment } from "../../../lib/memory/index-cache.ts";
import type { Part } from "../../../lib/memory/index-parts.ts";
import { searchJudgments } from "../../../lib/memory/search.ts";
import { budgetBefore } from "../../../lib/memory/search-limits.ts";
import { addJudgments } from "../../../lib/store/ai/judgment-changes.ts";
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

/** A part whose records each take 5 ms to index. */
async function slowPart(records: number, onFirst = () => {}): Promise<Part> {
  const pk = `W#${randomUUID()}#slow`;
  const items = Array.from({ length: records }, (_, index) => ({ pk, sk: String(index).padStart(3, "0") }));
  await putAll(items.map((item) => ({ put: item })) as never);
  let count = 0;
  return {
    pk,
    name: pk,
    versions: new Map(),
    attributes: ["sk"],
    changedSince: async () => [],
    entryOf({ sk }) {
      if (count++ === 0) onFirst();
      vi.advanceTimersByTime(5);
      return { pk, sk, at: 0, text: `word${sk}` };
    },
  };
}

describe("readSegment", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
  afterEach(() => void vi.useRealTimers());

  it("reads all records of a part", async () => {
    const { segment, next } = await readSegment(await slowPart(3), budgetBefore(1));
    expect([segment.size, segment.frequency("word002"), next]).toEqual([3, 1, undefined]);
  });

  it("ends when the call ends while it indexes a page", async () => {
    const end = new AbortController();
    const part = await slowPart(30, () => setImmediate(() => end.abort(new Error("The call has ended."))));
    await expect(inCall(newCall("r", end.signal), () => readSegment(part, budgetBefore(1)))).rejects.toThrow(
      "The call has ended.",
    );
  });
});
