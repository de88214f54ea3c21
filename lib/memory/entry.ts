// The memory's view of a record: a judgment, or a chunk of a knowledge source.

/** A record to index: its key, its time, the fields that filters use, and its text. */
export interface Entry {
  pk: string;
  sk: string;
  /** ms since the epoch. */
  at: number;
  decision?: string | undefined;
  documentId?: string | undefined;
  annotationId?: string | undefined;
  text: string;
}

/** The part of an entry that the index keeps beside its words. */
export type Fields = Omit<Entry, "text">;

/** A found record. */
export interface Hit {
  fields: Fields;
  /** Orders the hits of one search. */
  score: number;
  /** The share of the question's subject words that the record has, 0 to 1 (DECISIONS.md#relevant-records). */
  coverage: number;
}

export type Filter = (fields: Fields) => boolean;
