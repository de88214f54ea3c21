import { describe, expect, it } from "vitest";
import { linesOf } from "../../../lib/ingest/reader/lines.ts";
import { figuresOf, taskSamples } from "../../support/task-samples.ts";

const ends = { LF: "\n", CRLF: "\r\n", CR: "\r", "U+2028": "\u2028" };

describe("tasks found in texts as people write them", () => {
  // The rules are made from the shown samples alone. The held ones check that the rules fit other texts too.
  const floors = {
    "lists-shown": { samples: 22, precision: 1, recall: 1 },
    "lists-held": { samples: 11, precision: 1, recall: 1 },
    "prose-shown": { samples: 20, precision: 0.94, recall: 0.96 },
    "prose-held": { samples: 10, precision: 1, recall: 1 },
  };

  it.each(Object.entries(floors))("%s: precision and recall reach their floors", (file, floor) => {
    const figures = figuresOf(taskSamples(file), linesOf);
    process.stdout.write(`${file.padEnd(12)} ${JSON.stringify(figures)}\n`);
    expect(figures.samples).toBe(floor.samples);
    expect(figures.precision).toBeGreaterThanOrEqual(floor.precision);
    expect(figures.recall).toBeGreaterThanOrEqual(floor.recall);
  });

  it.each(Object.keys(floors))("%s: every line end gives the same lines, also when they are mixed", (file) => {
    const samples = taskSamples(file);
    for (const end of Object.values(ends)) {
      for (const [index, { name, text }] of taskSamples(file, end).entries())
        expect(linesOf(text), name).toEqual(linesOf(samples[index]?.text ?? ""));
    }
    for (const { name, text } of samples) {
      let count = 0;
      const mixed = text.replaceAll("\n", () => Object.values(ends)[count++ % 4] as string);
      expect(linesOf(mixed), name).toEqual(linesOf(text));
    }
  });
});

describe("a line end", () => {
  const five = ["Check a", "Check b", "Check c", "Check d", "Check e"];

  it.each(Object.entries(ends))("%s is one line end, and two of it are a blank line", (_, end) => {
    expect(linesOf(five.join(end))).toEqual({ lines: five, titles: [] });
    expect(linesOf(five.map((task) => `- ${task}\n  again`.replace("\n", end)).join(end)).lines).toEqual(
      five.map((task) => `${task} again`),
    );
    const wrapped = "The first paragraph is long enough to be wrapped by an editor, which";
    expect(linesOf([wrapped, "happened here.", "", "Second."].join(end)).lines).toEqual([
      `${wrapped} happened here.`,
      "Second.",
    ]);
  });
});

describe("5 MB of lines", () => {
  const task = "Check that the headline of every page matches the brand voice guide";
  const clause = "and the rest of it goes on and on and on, as it is usual for the text";

  it.each([
    ["of like length, without a blank line", task, 75_000, 75_000],
    ["of ten characters", "Check abc", 520_000, 520_000],
    ["with bullets", `- ${task}`, 75_000, 75_000],
  ])("%s are as many tasks", (_, line, count, expected) => {
    expect(linesOf(`${line}\n`.repeat(count)).lines.length).toBe(expected);
  });

  it("that are one sentence are cut into lines within the limit", () => {
    const { lines } = linesOf(`It begins\n${`${clause}\n`.repeat(75_000)}`);
    expect(lines.every(({ length }) => length <= 32_767)).toBe(true);
    expect(lines.join(" ").length).toBeGreaterThan(5_000_000);
  });

  it.each([
    ["spaces", `${" ".repeat(5_000_000)}x`, 1],
    [
      "dots, dashes and pipes",
      [".", "- ", "#", "> ", "a. ", "'\"", "ab. "].map((each) => each.repeat(8_000)).join("\n"),
      4,
    ],
  ])("of %s take linear time", (_, text, count) => {
    expect(linesOf(text).lines).toHaveLength(count);
  });
});

describe("continuations", () => {
  it.each<[string, string, string[]]>([
    ["an indent", "Check a\n  and b\nCheck c\n    Owner: QA", ["Check a and b", "Check c Owner: QA"]],
    ["not the points of an outline", "Home\n    Check a\n    Check b", ["Home", "Check a", "Check b"]],
    ["not what follows a colon", "Home:\n  check a\n  check b", ["Home:", "check a check b"]],
    ["a hyphen", "Read the whole docu-\nment aloud", ["Read the whole document aloud"]],
    ["a soft hyphen", "Read the docu\u00ad\nment", ["Read the document"]],
    ["not an indent that begins paragraphs", "   One.\nTwo.\n   Three.", ["One.", "Two.", "Three."]],
    ["not a rule or the border of a table", "One\n-----\nTwo\n+---+---+\nThree", ["One", "Two", "Three"]],
    [
      "not a name that begins in lower case",
      `${"Check the page on old phones too, please ".trim()}\niPhone layout`,
      ["Check the page on old phones too, please", "iPhone layout"],
    ],
  ])("are: %s", (_, text, expected) => {
    expect(linesOf(text).lines).toEqual(expected);
  });

  it("are no reason to take a number for a bullet", () => {
    const text = `The committee, which had met for the first time in the autumn of the year
2024. Nobody had expected that it would take until now to find the
members for it.`;
    expect(linesOf(text).lines).toEqual([text.replaceAll("\n", " ")]);
  });
});
