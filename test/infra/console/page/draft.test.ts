import { expect, test } from "vitest";
import { unsent } from "../../../../infra/console/page/draft.ts";

test("a text that was sent goes, and what was typed after it stays", () => {
  expect(unsent("Thank you!", "Thank you!")).toBe("");
  expect(unsent("Thank you! And Bob?", "Thank you!")).toBe(" And Bob?");
  expect(unsent("Another text", "Thank you!")).toBe("Another text");
});

test("fields that were sent go, and those that were changed since then stay", () => {
  const sent: Record<string, unknown> = { name: "Acme", limit: 1, flags: { b: true, a: false } };
  expect(unsent({ ...sent, flags: { a: false, b: true } }, sent)).toEqual({});
  expect(unsent({ ...sent, limit: 2, address: "" }, sent)).toEqual({ limit: 2, address: "" });
});
