// What becomes of a model's answer: of good ones, and of ranges that overlap, run backwards, lie outside, or are too long.
import { describe, expect, it } from "vitest";
import { Lines } from "../../../lib/ingest/drafts.ts";
import type { Part } from "../../../lib/ingest/prompt.ts";
import fc from "../../support/property.ts";

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const whole = (count: number): Part => ({ first: 1, last: count, prompt: "" });
const range = (first: number, last = first) => ({ first, last });
const agentOf = (...tasks: { first: number; last: number }[]) => {
  return { name: "N", description: "D", prompt: "P", tasks, userContextFields: [] };
};
type Agent = ReturnType<typeof agentOf>;

function endOf(count: number, agents: Agent[], skipped: { first: number; last: number; reason: string }[] = []) {
  const lines = new Lines(linesOf(count), count);
  const end = lines.end(lines.draftsOf({ agents, skipped, summary: "", totalTasksParsed: null }, whole(count)));
  return {
    tasks: end.agents.map(({ sourceTasks }) => sourceTasks),
    skipped: end.skipped.map(({ originalText, reason }) => `${originalText.replaceAll("\n", "+")}: ${reason}`),
  };
}

const unused = "The model did not use it.";

describe("an answer", () => {
  it("that uses each line once gives the exact lines", () => {
    expect(endOf(4, [agentOf(range(2, 3)), agentOf(range(4))], [{ ...range(1), reason: "A title." }])).toEqual({
      tasks: [["line 2\nline 3"], ["line 4"]],
      skipped: ["line 1: A title."],
    });
  });

  it("that leaves lines out has them as skipped, neighbours together, in the order of the file", () => {
    const skipped = [{ ...range(4), reason: "A note." }];
    expect(endOf(7, [agentOf(range(3))], skipped).skipped).toEqual([
      `line 1+line 2: ${unused}`,
      "line 4: A note.",
      `line 5+line 6+line 7: ${unused}`,
    ]);
  });

  it.each([
    ["run backwards", range(3, 2)],
    ["begin before the file", range(0, 2)],
    ["end after the file", range(4, 5)],
    ["are no whole numbers", range(1.5, 2)],
    ["overlap an earlier one", range(1, 3)],
  ])("whose ranges %s loses these ranges, and their lines are skipped", (_, bad) => {
    expect(endOf(4, [agentOf(range(1), bad)])).toEqual({
      tasks: [["line 1"]],
      skipped: [`line 2+line 3+line 4: ${unused}`],
    });
  });

  it("that puts a long file into one task has no task", () => {
    expect(endOf(100, [agentOf(range(1, 100))]).tasks).toHaveLength(1);
    const { tasks, skipped } = endOf(101, [agentOf(range(1, 101))]);
    expect([tasks, skipped.length]).toEqual([[], 1]);
  });

  it("with more than 50 agents names the lines of the others", () => {
    const { tasks, skipped } = endOf(
      52,
      linesOf(52).map((_, index) => agentOf(range(index + 1))),
    );
    expect(tasks).toHaveLength(50);
    expect(skipped).toEqual(["line 51: There are more than 50 agents.", "line 52: There are more than 50 agents."]);
  });

  it("accounts for each line exactly once, whatever it says", () => {
    const number = fc.integer({ min: -1, max: 14 });
    const ranges = fc.array(fc.record({ first: number, last: number }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(ranges, { maxLength: 4 }), ranges, (agents, skipped) => {
        const lines = new Lines(linesOf(12), 12);
        const answer = {
          agents: agents.map((tasks) => agentOf(...tasks)),
          skipped: skipped.map((each) => ({ ...each, reason: "R" })),
          summary: "",
          totalTasksParsed: 0,
        };
        const end = lines.end(lines.draftsOf(answer, whole(12)));
        const texts = [
          ...end.agents.flatMap(({ sourceTasks }) => sourceTasks),
          ...end.skipped.map((each) => each.originalText),
        ];
        const found = texts.flatMap((text) => text.split("\n"));
        expect(found.toSorted()).toEqual(linesOf(12).toSorted());
      }),
    );
  });
});
