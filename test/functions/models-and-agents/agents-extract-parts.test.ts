// A file that does not fit one prompt: its parts go to the model side by side, and a last call joins their drafts.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Credentials } from "../../support/call.ts";
import { extract, fileOf, startExtractionVendor, withKeys } from "../../support/extraction.ts";

const vendor = await startExtractionVendor();
let alice: Credentials;
beforeEach(async () => {
  alice = await withKeys(vendor);
});

const file = (lines: number) => fileOf(Array.from({ length: lines }, (_, index) => `Check ${index + 1}.`).join("\n"));
const draft = { name: "Part", description: "D", prompt: "P", userContextFields: [] };
/** The body is JSON. */
const numbersIn = (text: string) => [...text.matchAll(/\\n(\d+): /g)].map(([, digits]) => Number(digits));

/** Each part has one agent with its first two lines. All drafts of parts are joined. */
function answerTo({ text }: { text: string }): string {
  const numbers = numbersIn(text);
  if (text.includes("<drafts>"))
    return JSON.stringify({
      agents: [{ name: "All", description: "D", prompt: "P", drafts: numbers }],
      summary: "Whole.",
    });
  const tasks = numbers.slice(0, 2).map((number) => ({ first: number, last: number }));
  return JSON.stringify({
    agents: [{ ...draft, tasks }],
    skipped: [],
    summary: "Part.",
    totalTasksParsed: numbers.length,
  });
}

describe("a file of 2,500 lines", () => {
  it("has the tasks of all its parts, and their count", async () => {
    vendor.behave(answerTo);
    const { data } = await extract(alice, file(2_500));
    const { agents, skipped, summary, totalTasksParsed } = data.extractionResult;
    expect(agents).toMatchObject([
      {
        name: "All",
        sourceTasks: ["Check 1.", "Check 2.", "Check 1001.", "Check 1002.", "Check 2001.", "Check 2002."],
      },
    ]);
    expect([summary, totalTasksParsed, skipped.length]).toEqual(["Whole.", 2_500, 3]);
    expect(vendor.requests).toHaveLength(4);
  });

  it("pays only for the part that failed when it is sent again", async () => {
    vendor.behave((request) => (numbersIn(request.text).includes(1_001) ? { mode: "error500" } : answerTo(request)));
    expect((await extract(alice, file(2_500))).error?.status).toBe("UNAVAILABLE");
    vendor.behave(answerTo);
    expect((await extract(alice, file(2_500))).status).toBe(200);
    // The part, and the call that joins all.
    expect(vendor.requests).toHaveLength(2);
  });

  it("keeps the drafts of its parts when the model joins none", async () => {
    vendor.behave((request) =>
      request.text.includes("<drafts>") ? JSON.stringify({ agents: [], summary: "Whole." }) : answerTo(request),
    );
    const { data } = await extract(alice, file(2_500));
    expect(data.extractionResult.agents.map(({ name }: { name: string }) => name)).toEqual(["Part", "Part", "Part"]);
  });
});

it("a file above the limit says how many lines were not read", async () => {
  vi.stubEnv("INGEST_BUDGET_SECONDS", "27");
  vendor.behave(answerTo);
  const { data } = await extract(alice, file(10_007));
  expect(data.extractionResult.summary).toBe("Whole. The last 7 lines are above the limit, and unread.");
  expect(data.extractionResult.totalTasksParsed).toBe(10_000);
});
