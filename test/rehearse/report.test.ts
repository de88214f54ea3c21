import { describe, expect, it } from "vitest";
import { countsOf, merged, type Row, tableOf } from "./report.ts";

const row: Row = {
  name: "users-get",
  kind: "endpoint",
  runs: 2,
  problems: [],
  denials: [],
  missed: [],
  permissions: 3,
  unused: ["a", "b"],
  unusedGrants: ["a, b"],
  coldMs: 500,
  replyBytes: 10,
  peakMb: 80,
  memoryMb: 512,
  runtime: "nodejs24.x",
};

describe("the counts", () => {
  it("are those of all functions, and say which were not run", () => {
    const rows = [
      row,
      { ...row, name: "users-add", denials: ["c"] },
      { ...row, name: "purge", kind: "queue" } as const,
    ];
    const removals = [
      { name: "users-get", permission: "c", isDenied: true },
      { name: "purge", permission: "c", isDenied: false },
    ];
    expect(countsOf(rows, removals, 4).split("\n").slice(0, 6)).toEqual([
      "Passed: 1 of 2 endpoints and 1 of 1 workers, in 6 runs.",
      "Denied: 1 permissions.",
      "Used: 3 of 9 permissions.",
      "Not run: 1 of 4 functions.",
      "Taken away: 2 permissions. 1 were not missed.",
      "  Not missed: c of purge",
    ]);
  });
});

describe("the table", () => {
  it("has a line for each function, which says whether it has passed", () => {
    const [heading = "", first = "", second = ""] = tableOf([row, { ...row, problems: ["HTTP 500"] }]).split("\n");
    expect(heading).toMatch(/^function +passed +runs +denials/);
    expect(first).toMatch(/^users-get +yes +2 +0 +500 +10 +80 of 512 +3 +a, b$/);
    expect(second).toMatch(/^users-get +NO /);
  });

  it("has one line for a function with several rows: what one of them has used is used", () => {
    const other = { ...row, runs: 1, unused: ["b"], unusedGrants: [], denials: ["c"], replyBytes: 20 };
    expect(merged([row, other])).toEqual([
      { ...row, runs: 3, unused: ["b"], unusedGrants: [], denials: ["c"], replyBytes: 20 },
    ]);
  });
});
