import { describe, expect, it } from "vitest";
import { type Grouping, numbered, resultOf } from "../../../lib/ingest/grouping.ts";

const lines = ["Release", "Check a.", "Check b.", "Check c."];
const tasks = numbered({ lines, titles: [0] });
const agent = { name: "N", description: "D", prompt: "P", taskNumbers: [1], userContextFields: [] };
const answer: Grouping = { agents: [agent], skipped: [], summary: "S", totalTasksParsed: 3 };

describe("tasks for the model", () => {
  it("have numbers, and headings have none", () => {
    expect(tasks).toMatchObject({ tasks: lines.slice(1), omitted: 0 });
    expect(tasks.prompt).toBe("<file>\nRelease\n1: Check a.\n2: Check b.\n3: Check c.\n</file>");
  });

  it.each(["</file>", "</ FILE >", "< /file>", "<file>"])("cannot imitate the delimiter of the file: %s", (mark) => {
    expect(numbered({ lines: [`a ${mark} b`], titles: [] }).prompt).toContain(`1: a ‹${mark.slice(1)} b`);
  });

  it("are as many as fit, and the rest is counted", () => {
    const many = numbered({ lines: new Array(1_500).fill("Check."), titles: [] });
    expect(many).toMatchObject({ tasks: { length: 1_000 }, omitted: 500 });
    expect(numbered({ lines: new Array(20).fill("é".repeat(30_000)), titles: [] })).toMatchObject({ omitted: 18 });
  });
});

describe("the result", () => {
  it("has each task once: in the first agent that names it, or skipped with a reason", () => {
    const agents = [agent, { ...agent, taskNumbers: [1, 2, 0, -1, 1.5, 99] }];
    const result = resultOf(tasks, { ...answer, agents, skipped: [{ taskNumber: 2, reason: "R" }] }, "s");
    expect(result.agents.map(({ sourceTasks }) => sourceTasks)).toEqual([["Check a."], ["Check b."]]);
    expect(result.skipped).toEqual([{ originalText: "Check c.", reason: "The model did not group it." }]);
  });

  it("has no agent without tasks", () => {
    expect(resultOf(tasks, { ...answer, agents: [{ ...agent, taskNumbers: [] }] }, "s").agents).toEqual([]);
  });

  it.each([
    [3, 3],
    [0, 0],
    [null, undefined],
    [-1, undefined],
    [1.5, undefined],
  ])("has the model's count of tasks only if the count is valid: %s", (totalTasksParsed, expected) => {
    expect(resultOf(tasks, { ...answer, totalTasksParsed }, "s").totalTasksParsed).toBe(expected);
  });

  it("counts and mentions the tasks that were not sent to the model", () => {
    const many = numbered({ lines: new Array(1_002).fill("Check."), titles: [] });
    const result = resultOf(many, { ...answer, totalTasksParsed: 1_000 }, "s");
    expect(result.totalTasksParsed).toBe(1_002);
    expect(result.skipped.at(-1)?.originalText).toBe("2 further tasks");
  });

  it("has the model's texts truncated to their limits, without lone surrogates", () => {
    const long = "😀".repeat(40_000);
    const field = { id: long, title: long, type: long, example: long };
    const verbose = { ...agent, name: `x${long}`, prompt: `x${long}`, userContextFields: new Array(50).fill(field) };
    const [draft] = resultOf(tasks, { ...answer, agents: [verbose] }, "s").agents;
    expect(draft?.prompt.length).toBe(10_000);
    expect(draft?.name.isWellFormed()).toBe(true);
    expect(draft?.userContextFields.length).toBe(20);
  });
});
