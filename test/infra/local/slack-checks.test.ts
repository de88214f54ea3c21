import { expect, it } from "vitest";
import { messageProblem } from "../../../infra/local/slack-checks.ts";

const problemOf = (...elements: object[]) =>
  messageProblem({
    channel: "U12",
    text: "Text",
    blocks: [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }],
  });

it("takes texts and links", () => {
  const link = { type: "link", url: "https://app.example.com/", text: "Open" };
  expect(problemOf({ type: "text", text: "Hello" }, link)).toBeUndefined();
});

it.each([
  ["no elements", []],
  ["an empty text", [{ type: "text", text: "" }]],
  ["a link without a URL", [{ type: "link", url: "Plan", text: "Open" }]],
  ["a link that is too long", [{ type: "link", url: `https://app.example.com/${"a".repeat(3_000)}`, text: "Open" }]],
  ["an unknown element", [{ type: "script", text: "x" }]],
])("refuses %s", (_, elements) => {
  expect(problemOf(...elements)).toBe("invalid_blocks");
});
