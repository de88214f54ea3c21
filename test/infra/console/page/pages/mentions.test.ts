import { expect, test } from "vitest";
import { mentionsIn } from "../../../../../infra/console/page/pages/mentions.ts";

const [ann, annBauer, carol, nameless] = [
  { userId: "u1", name: "Ann Adams" },
  { userId: "u2", name: "Ann Bauer" },
  { userId: "u3", name: "Carol Silva" },
  { userId: "dave", name: "" },
];

test.each([
  ["@Carol please look", [carol]],
  ["Please look, @carol silva!", [carol]],
  ["@Ann", []],
  ["@Ann Bauer, @dave and @u1", [ann, annBauer, { userId: "dave" }]],
  ["@Caroline, carol and @", []],
  ["carol@example.com", []],
])("%s", (text, expected) => {
  expect(mentionsIn(text, [ann, annBauer, carol, nameless])).toEqual(expected);
});
