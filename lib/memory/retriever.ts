// The interface that finds records for a question. A vector index could implement it too.
import type { Fields } from "./entry.ts";

/** A found record. */
export interface Hit {
  fields: Fields;
  /** Orders the hits of one retriever. Scores of different retrievers are not comparable. */
  score: number;
  /** The share of the question's subject words that the record has, 0 to 1 (DECISIONS.md#relevant-records). */
  coverage: number;
}

export type Filter = (fields: Fields) => boolean;

export interface Retriever {
  /** Returns at most `limit` records that pass the filter, the best first. */
  retrieve(question: string, filter: Filter, limit: number): Hit[];
}
