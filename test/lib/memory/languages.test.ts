import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isRelevant, retrieveFor } from "../../../lib/memory/retrieve.ts";
import { Segment } from "../../../lib/memory/segment.ts";

/** Reads one language of the file. Its first lines are the name, the subjects and the remarks. */
function languageOf(part: string) {
  const [name = "", subjects = [], remarks = [], ...pairs] = part
    .trim()
    .split("\n")
    .map((line, at) => (at === 0 ? line : line.split("|"))) as [string, ...string[][]];
  const others = subjects.flatMap((subject) => remarks.map((remark) => `${subject} ${remark}`));
  const questions = pairs.map(([finds, question]) => ({ finds, question })) as { finds: string; question: string }[];
  return { name, records: [...questions.map(({ finds }) => finds), ...others], questions };
}

const file = readFileSync(new URL("relevance/languages.txt", import.meta.url), "utf8");
const languages = file.split(/^@ /m).slice(1).map(languageOf);

/** The questions that do not find their record among the first five. */
function failing({ records, questions }: ReturnType<typeof languageOf>): string[] {
  const segment = Segment.of(records.map((text, at) => ({ pk: "p", sk: text, at, text })));
  const isFound = (question: string, record: string) => {
    const hits = retrieveFor([segment], { question, filter: () => true, limit: 5, now: 0 });
    return isRelevant(hits) && hits.some(({ fields: { sk } }) => sk === record);
  };
  return questions.flatMap(({ question, finds }) => (isFound(question, finds) ? [] : [question]));
}

describe("retrieveFor", () => {
  it.each(languages)("finds the records of at least 19 of 20 questions in $name", (language) => {
    expect([language.records.length, language.questions.length]).toEqual([100, 20]);
    const failed = failing(language);
    expect(failed.length, failed.join(" | ")).toBeLessThanOrEqual(1);
  });
});
