import { expect, test } from "vitest";
import { idOf, textsOf } from "../../../../../infra/console/page/pages/named-choices.ts";

const texts = textsOf([
  { id: "alice", name: "Alice" },
  { id: "bob-1", name: "Bob" },
  { id: "bob-2", name: "Bob" },
  { id: "carol", name: undefined },
]);

test("a name stands for an id, with the id where two have the same name", () => {
  expect([...texts.values()]).toEqual(["Alice", "Bob (bob-1)", "Bob (bob-2)", "carol"]);
});

test("a name in any case or an id is understood, and no other text", () => {
  const given = [" alice ", "ALICE", "bob-2", "Bob (bob-1)", "Bob", "carol", "Ali", ""];
  const found = ["alice", "alice", "bob-2", "bob-1", undefined, "carol", undefined, undefined];
  expect(given.map((text) => idOf(texts, text))).toEqual(found);
});
