// How records are found for a question. Another retriever, such as an index of vectors, can stand beside the lexical one:
// each ranks, and `fused` joins rankings by rank alone, since their scores are not comparable.
import type { Fields } from "./segment.ts";

/** One record found. `score` orders the hits of one retriever and means nothing beside another's. */
export interface Hit {
  fields: Fields;
  score: number;
  /** Share of the question's weight that the record's words cover, 0 to 1. */
  coverage: number;
}

export type Filter = (fields: Fields) => boolean;

export interface Retriever {
  /** The best first, at most `limit`; only records that the filter keeps. */
  retrieve(question: string, filter: Filter, limit: number): Hit[];
}

/** Damps the lead of the first ranks (reciprocal rank fusion). */
const rankConstant = 60;

/** Several rankings of the same records as one. */
export function fused(rankings: readonly Hit[][], limit: number): Hit[] {
  const scores = new Map<string, Hit>();
  for (const ranking of rankings) {
    for (const [rank, hit] of ranking.entries()) {
      const name = `${hit.fields.pk} ${hit.fields.sk}`;
      const known = scores.get(name);
      const score = (known?.score ?? 0) + 1 / (rankConstant + rank + 1);
      scores.set(name, { ...hit, score, coverage: Math.max(hit.coverage, known?.coverage ?? 0) });
    }
  }
  return [...scores.values()].toSorted((one, other) => other.score - one.score).slice(0, limit);
}
