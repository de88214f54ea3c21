import { describe, expect, it } from "vitest";
import { confidenceOf } from "../../../lib/memory/answer.ts";
import type { Found } from "../../../lib/memory/search.ts";

const found = (recordId: string, coverage: number) => ({ judgment: { recordId }, coverage }) as Found;
const cite = (recordId: string, verified = true) => ({ recordId, snippet: "s", verified });

describe("confidence", () => {
  it.each([
    ["nothing cited", [], 0],
    ["nothing verified", [cite("a", false)], 0],
    ["one record that covers all", [cite("a")], 0.75],
    ["two records", [cite("a"), cite("b")], 0.88],
    ["half of the citations are unverified", [cite("a"), cite("a", false)], 0.38],
    ["a record that covers little", [cite("b")], 0.45],
  ])("%s", (_, citations, confidence) => {
    expect(confidenceOf(citations, [found("a", 1), found("b", 0.4)])).toBe(confidence);
  });
});
