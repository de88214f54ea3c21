import { describe, expect, it } from "vitest";
import { readText } from "../../../lib/ingest/reader/text.ts";

const linesOf = (text: string) => readText(Buffer.from(text)).lines;

describe("the lines of a text", () => {
  it.each(["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"])("end at %j", (end) => {
    expect(readText(Buffer.from(["Check a ", "", "  ", " Check b", ""].join(end)))).toEqual({
      lines: ["Check a", " Check b"],
      marks: [{ before: 1, text: "" }],
      notes: [],
    });
  });

  it("have no mark before the first one", () => {
    expect(readText(Buffer.from("\n\nCheck a"))).toEqual({ lines: ["Check a"], marks: [], notes: [] });
  });

  it("are cut between words if they are too long, and within a word if they must be", () => {
    const words = linesOf("word ".repeat(1_000_000));
    expect(words.every((line) => line.length <= 32_767 && /^word( word)*$/.test(line))).toBe(true);
    expect(words.join(" ")).toBe("word ".repeat(1_000_000).trim());
    expect(linesOf("x".repeat(5_000_000)).map(({ length }) => length)).toEqual([...Array(152).fill(32_767), 19_416]);
    expect(linesOf(`x${"😀".repeat(20_000)}`).every((line) => line.isWellFormed())).toBe(true);
  });

  it.each([
    ["spaces", " ".repeat(5_000_000), 0],
    ["line ends", "\n".repeat(5_000_000), 0],
    ["short lines", "Check a\n".repeat(600_000), 600_000],
  ])("can be 5 MB of %s", (_, text, count) => {
    expect(linesOf(text)).toHaveLength(count);
  });
});
