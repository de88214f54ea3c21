import { describe, expect, it } from "vitest";
import { confidenceOf } from "../../../lib/memory/answer.ts";
import type { Found } from "../../../lib/memory/search.ts";

const found = (recordId: string, coverage: number) => ({ judgment: { recordId }, coverage }) as Found;
const cite = (recordId: string, verified = true) => ({ recordId, snippet: "s", verified });

describe("confidenceOf", () => {
  it.each([
    ["no citation", [], 0],
    ["no verified citation", [cite("a", false)], 0],
    ["one record that covers the question", [cite("a")], 0.75],
    ["two records", [cite("a"), cite("b")], 0.88],
    ["an unverified citation beside a verified one", [cite("a"), cite("a", false)], 0.38],
    ["one record that covers 40 % of the question", [cite("b")], 0.45],
  ])("rates %s", (_, citations, confidence) => {
    expect(confidenceOf(citations, [found("a", 1), found("b", 0.4)])).toBe(confidence);
  });
});
