import { expect, test } from "vitest";
import { matching, placeOf } from "../../../../../infra/console/page/components/commands.ts";

const command = (title: string, about: string, words = "") => ({ title, about, words, path: `/${title}` });
const commands = [
  command("Documents", "all folders and comments"),
  command("Launch plan", "document of Acme", "plan-1"),
  command("Alice", "user of Acme", "a1 alice@example.com"),
];
const found = (text: string) => matching(commands, text).map(({ title }) => title);

test("a title, a description or an id finds it, and a title that begins with the text comes first", () => {
  expect(found(" PLAN-1 ")).toEqual(["Launch plan"]);
  expect(found("example.com")).toEqual(["Alice"]);
  expect(found("a")).toEqual(["Alice", "Documents", "Launch plan"]);
  expect(found("document")).toEqual(["Documents", "Launch plan"]);
  expect(found("nobody")).toEqual([]);
});

test("no more are shown than a reader looks at", () => {
  const many = Array.from({ length: 80 }, (_, index) => command(`Plan ${index}`, "document"));
  expect(matching(many, "plan")).toHaveLength(50);
});

test("the chosen one stays chosen when lists arrive, and the first one is when it has gone", () => {
  expect(placeOf(commands, "/Alice")).toBe(2);
  expect(placeOf(commands.toReversed(), "/Alice")).toBe(0);
  expect([placeOf(commands.slice(0, 2), "/Alice"), placeOf(commands, undefined), placeOf([], "/Alice")]).toEqual([
    0, 0, 0,
  ]);
});
