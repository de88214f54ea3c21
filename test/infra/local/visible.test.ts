import { expect, it } from "vitest";
import { visible, visibleLines } from "../../../infra/local/visible.ts";

it("no character controls the terminal, begins a line or changes the order, and all others stay", () => {
  const hostile = "\u001b[2J\r\n\t\u0007\u007f\u009b31m\u202e\u200b\u2028\u2029\ud800";
  expect(visible(hostile)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  expect(visible("\u001b é 😀 •")).toBe("\\u{1b} é 😀 •");
});

it("of several lines, the line feeds stay", () => {
  expect(visibleLines("a\r\n\u001bb\n")).toBe("a\\u{d}\n\\u{1b}b\n");
});
