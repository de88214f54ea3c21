import { expect, test } from "vitest";
import { idOf, textsOf, unknownText } from "../../../../../infra/console/page/pages/named-choices.ts";

const choices = [
  { id: "alice", name: "Alice" },
  { id: "bob-1", name: "Bob" },
  { id: "bob-2", name: "Bob" },
  { id: "carol", name: undefined },
];

test("a name stands for an id, with the id where two have the same name", () => {
  expect([...textsOf(choices).values()]).toEqual(["Alice", "Bob (bob-1)", "Bob (bob-2)", "carol"]);
});

test("a name in any case or an id is understood, and no other text", () => {
  const given = [" alice ", "ALICE", "bob-2", "Bob (bob-1)", "Bob", "carol", "Ali", ""];
  const found = ["alice", "alice", "bob-2", "bob-1", undefined, "carol", undefined, undefined];
  expect(given.map((text) => idOf(choices, text))).toEqual(found);
});

test("each text in the list stands for one entry, also where names differ only in case or spaces, or equal an id", () => {
  const close = [
    { id: "u1", name: "Bob" },
    { id: "u2", name: "bob " },
    { id: "alice", name: undefined },
    { id: "u9", name: "alice" },
    { id: "dan", name: "Daniel" },
    { id: "u10", name: "Dan" },
    { id: "u11", name: "Ann " },
  ];
  const texts = textsOf(close);
  const expected = ["Bob (u1)", "bob (u2)", "alice", "alice (u9)", "Daniel", "Dan (u10)", "Ann"];
  expect([...texts.values()]).toEqual(expected);
  expect([...texts].map(([, text]) => idOf(close, text))).toEqual(close.map(({ id }) => id));
  expect(["bob", "dan", "Ann ", "ann"].map((text) => idOf(close, text))).toEqual([undefined, "dan", "u11", "u11"]);
});

test("a filter that finds nothing is said to be unknown only if no choice has its name or id", () => {
  const say = (text: string) => unknownText("user", text, choices, 5);
  expect([say("alice"), say("Alice"), say("bob-1")]).toEqual([undefined, undefined, undefined]);
  expect(say("Bob")).toBe("Several users have the name “Bob”: choose one.");
  expect(say("Eve")).toBe("There is no user with the name or id “Eve”.");
  expect(unknownText("user", "Eve", choices, 4)).toBe("None of the first 4 users has the name or id “Eve”.");
  expect(unknownText("user", "Eve", [], 4)).toBeUndefined();
});

test("names with a word that begins so are suggested, at most three", () => {
  const say = (text: string) => unknownText("user", text, [...choices, { id: "u1", name: "Eva Carter" }], 9);
  expect(say("ali")).toBe("There is no user with the name or id “ali”. Did you mean Alice?");
  expect(say("Car")).toBe("There is no user with the name or id “Car”. Did you mean carol or Eva Carter?");
  expect(say("lice")).toBe("There is no user with the name or id “lice”.");
  const many = Array.from({ length: 9 }, (_, at) => ({ id: `u${at}`, name: `Bob ${at}` }));
  expect(unknownText("user", "bo", many, 99)).toMatch(/Did you mean Bob 0 or Bob 1 or Bob 2\?$/);
});
