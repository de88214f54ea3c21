// Finds the records for a question in the index, and decides whether any of them is about the question
// (DECISIONS.md#relevant-records).
import type { Filter, Hit } from "./entry.ts";
import { Lexical } from "./lexical.ts";
import { asked } from "./question.ts";
import type { Segment } from "./segment.ts";

/** A record with a lower coverage is not about the question. */
const coverageMin = 0.3;

interface Request {
  question: string;
  filter: Filter;
  limit: number;
  /** ms since the epoch. */
  now: number;
}

/** The best records. A question that only selects by decision or time gets the newest records of its selection. */
export function retrieveFor(segments: readonly Segment[], { question, filter, limit, now }: Request): Hit[] {
  const { selection } = asked(question, now);
  if (!selection) return new Lexical(segments).retrieve(question, filter, limit);
  const { decisions, span } = selection;
  const isSelected: Filter = (fields) =>
    (decisions === undefined || decisions.has(fields.decision as never)) &&
    (span === undefined || (fields.at >= span.start && fields.at < span.end)) &&
    filter(fields);
  return newest(segments, isSelected, limit);
}

/** The newest records that pass the filter. All count as relevant. */
export function newest(segments: readonly Segment[], filter: Filter, limit: number): Hit[] {
  return segments
    .flatMap((segment) => segment.fields.filter(filter))
    .toSorted((one, other) => other.at - one.at)
    .slice(0, limit)
    .map((fields) => ({ fields, score: fields.at, coverage: 1 }));
}

/** Whether any of the records is about the question. */
export const isRelevant = (found: readonly Pick<Hit, "coverage">[]): boolean =>
  found.some(({ coverage }) => coverage >= coverageMin);
