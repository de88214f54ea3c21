import { expect, it } from "vitest";
import { spanNamed } from "../../../lib/memory/time-words.ts";

/** A Friday. */
const now = Date.parse("2026-11-20T12:00:00Z");
const iso = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : "");

it.each([
  ["What was rejected today?", "2026-11-20", ""],
  ["What was rejected yesterday?", "2026-11-19", "2026-11-20"],
  ["What was rejected last week?", "2026-11-09", ""],
  ["What was rejected this week?", "2026-11-16", ""],
  ["What was rejected last month?", "2026-10-01", ""],
  ["What was rejected last quarter?", "2026-07-01", ""],
  ["What was rejected this year?", "2026-01-01", ""],
  ["What was rejected in the last 3 days?", "2026-11-17", ""],
  ["What was rejected in the past 2 months?", "2026-09-20", ""],
  ["What was rejected in March?", "2026-03-01", "2026-04-01"],
  ["What was rejected in December?", "2025-12-01", "2026-01-01"],
  ["What was rejected since May 2024?", "2024-05-01", ""],
])("spanNamed reads %j", (question, start, end) => {
  const span = spanNamed(question, now);
  expect([iso(span?.start ?? 0), iso(span?.end ?? 0)]).toEqual([start, end]);
});

it.each(["What may be rejected?", "What was rejected recently?", "Who marches?"])(
  "spanNamed finds none in %j",
  (question) => {
    expect(spanNamed(question, now)).toBeUndefined();
  },
);
