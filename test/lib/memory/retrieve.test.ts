import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isRelevant, retrieveFor } from "../../../lib/memory/retrieve.ts";
import { Segment } from "../../../lib/memory/segment.ts";

/** Real questions over records of one subject each. `finds`: the records that must be found; none: it is off-topic. */
interface Sample {
  name: string;
  records: { id: string; text: string; at: string; decision?: string; by?: string; passage?: true }[];
  questions: { question: string; finds: string[] }[];
}

const now = Date.parse("2026-11-20T12:00:00Z");
const samplesOf = (file: string): Sample[] =>
  JSON.parse(readFileSync(new URL(`relevance/${file}.json`, import.meta.url), "utf8"));

/** The records that the question finds among the first five; none if it is called off-topic. */
function answered(segment: Segment, question: string): string[] {
  const hits = retrieveFor([segment], { question, filter: () => true, limit: 5, now });
  return isRelevant(hits) ? hits.map(({ fields: { sk } }) => sk) : [];
}

const segmentOf = (records: Sample["records"]) =>
  Segment.of(
    records.map(({ id: sk, at, decision = "", text, by = "" }) => {
      return { pk: "p", sk, at: Date.parse(at), decision, text: `${decision.replace("_", " ")} ${text} ${by}` };
    }),
  );

/** Shares: of the relevant questions that find all their records, of right answers among all, of off-topic ones. */
function measured(samples: readonly Sample[]) {
  const results = samples.flatMap(({ records, questions }) => {
    const segment = segmentOf(records);
    return questions.map(({ question, finds }) => ({ question, finds, found: answered(segment, question) }));
  });
  const relevant = results.filter(({ finds }) => finds.length > 0);
  const right = relevant.filter(({ finds, found }) => finds.every((id) => found.includes(id)));
  const nonEmpty = results.filter(({ found }) => found.length > 0);
  const irrelevant = results.filter(({ finds }) => finds.length === 0);
  return {
    recall: right.length / relevant.length,
    precision: right.length / nonEmpty.length,
    irrelevantEmpty: irrelevant.filter(({ found }) => found.length === 0).length / irrelevant.length,
    wrong: results
      .filter(({ finds, found }) => (finds.length > 0 ? !finds.every((id) => found.includes(id)) : found.length > 0))
      .map(({ question }) => question),
  };
}

describe("retrieveFor", () => {
  it.each([
    ["shown", 1, 1, 1],
    ["held-out", 1, 1, 1],
  ])("answers the questions of %s with a recall of %d, a precision of %d", (file, recall, precision, empty) => {
    const figures = measured(samplesOf(file));
    const note = figures.wrong.join(" | ");
    expect(figures.recall, note).toBeGreaterThanOrEqual(recall);
    expect(figures.precision, note).toBeGreaterThanOrEqual(precision);
    expect(figures.irrelevantEmpty, note).toBeGreaterThanOrEqual(empty);
  });

  it.each([
    ["What was rejected?", ["d1", "d5"]],
    ["What was rejected last week?", ["d1"]],
    ["What was approved or rejected this month?", ["d1", "d2"]],
    ["What did we decide in September?", ["d4", "d3"]],
    ["What was rejected in the last 2 days?", ["d1"]],
    ["What was rejected yesterday?", []],
    ["What was endorsed recently?", []],
  ])("selects the records that %j asks for, the newest first", (question, ids) => {
    const design = samplesOf("shown").find(({ name }) => name === "interface design");
    expect(answered(segmentOf(design?.records ?? []), question)).toEqual(ids);
  });
});
