// An immutable inverted index of records. Its numbers are in typed arrays, so that 100,000 records fit a container and
// the garbage collector does not traverse them. The texts are only in the table.
import { stemsOf } from "./words.ts";

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

/** What the index keeps of an entry apart from its words. */
export type Fields = Omit<Entry, "text">;

export class Segment {
  readonly fields: Fields[];
  /** Number of words of each entry. */
  readonly lengths: Uint32Array;
  readonly words: number;
  private readonly terms = new Map<string, number>();
  private readonly names: string[] = [];
  /** Postings of term t: from `starts[t]` to `starts[t + 1]` in `entries` and `counts`. */
  private readonly starts: Uint32Array;
  private readonly entries: Uint32Array;
  private readonly counts: Uint16Array;
  /** The terms of entry e: from `ownStarts[e]` in `ownTerms` and `ownCounts`. */
  private readonly ownStarts: Uint32Array;
  private readonly ownTerms: Uint32Array;
  private readonly ownCounts: Uint16Array;

  constructor(entries: readonly Entry[]) {
    this.fields = entries.map(({ text: _text, ...fields }) => fields);
    this.lengths = new Uint32Array(entries.length);
    const own = entries.map(({ text }, index) => this.count(text, index));
    this.words = this.lengths.reduce((sum, length) => sum + length, 0);
    const total = own.reduce((sum, counts) => sum + counts.size, 0);
    this.ownStarts = new Uint32Array(entries.length + 1);
    this.ownTerms = new Uint32Array(total);
    this.ownCounts = new Uint16Array(total);
    this.starts = new Uint32Array(this.names.length + 1);
    this.entries = new Uint32Array(total);
    this.counts = new Uint16Array(total);
    this.fill(own);
  }

  get size(): number {
    return this.fields.length;
  }

  /** All stems of the entries. */
  stems(): Iterable<string> {
    return this.names;
  }

  /** The number of entries that have the stem. */
  frequency(stem: string): number {
    const term = this.terms.get(stem);
    return term === undefined ? 0 : this.at(this.starts, term + 1) - this.at(this.starts, term);
  }

  /** The entries that have the stem, and how often it occurs in each. */
  postings(stem: string): { entries: Uint32Array; counts: Uint16Array } {
    const term = this.terms.get(stem) ?? this.names.length;
    const [start, end] = [this.starts[term] ?? 0, this.starts[term + 1] ?? 0];
    return { entries: this.entries.subarray(start, end), counts: this.counts.subarray(start, end) };
  }

  /** The stems of one entry, and how often each occurs. */
  stemsOf(entry: number): [stem: string, count: number][] {
    const stems: [string, number][] = [];
    const end = this.at(this.ownStarts, entry + 1);
    for (let index = this.at(this.ownStarts, entry); index < end; index++)
      stems.push([this.names[this.at(this.ownTerms, index)] as string, this.at(this.ownCounts, index)]);
    return stems;
  }

  private count(text: string, entry: number): Map<number, number> {
    const counts = new Map<number, number>();
    const stems = stemsOf(text);
    for (const stem of stems) {
      let term = this.terms.get(stem);
      if (term === undefined) {
        term = this.names.length;
        this.terms.set(stem, term);
        this.names.push(stem);
      }
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    this.lengths[entry] = stems.length;
    return counts;
  }

  private fill(own: readonly Map<number, number>[]): void {
    for (const counts of own)
      for (const term of counts.keys()) this.starts[term + 1] = this.at(this.starts, term + 1) + 1;
    for (let term = 0; term < this.names.length; term++)
      this.starts[term + 1] = this.at(this.starts, term + 1) + this.at(this.starts, term);
    const next = this.starts.slice();
    let position = 0;
    for (const [entry, counts] of own.entries()) {
      for (const [term, count] of counts) {
        const bounded = Math.min(count, 65_535);
        const posting = this.at(next, term);
        next[term] = posting + 1;
        this.entries[posting] = entry;
        this.counts[posting] = bounded;
        this.ownTerms[position] = term;
        this.ownCounts[position++] = bounded;
      }
      this.ownStarts[entry + 1] = position;
    }
  }

  /** The value at an index that is known to be in bounds. */
  private at(array: Uint32Array | Uint16Array, index: number): number {
    return array[index] as number;
  }
}
