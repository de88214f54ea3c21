// How records are found for a question. Another retriever, such as an index of vectors, can implement this interface.
import type { Fields } from "./segment.ts";

/** One record found. */
export interface Hit {
  fields: Fields;
  /** Orders the hits of one retriever. Scores of two retrievers are not comparable. */
  score: number;
  /** Share of the question's weight that the record's words cover, 0 to 1. */
  coverage: number;
}

export type Filter = (fields: Fields) => boolean;

export interface Retriever {
  /** The best first, at most `limit`; only records that pass the filter. */
  retrieve(question: string, filter: Filter, limit: number): Hit[];
}
