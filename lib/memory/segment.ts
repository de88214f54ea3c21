// An immutable inverted index of records. Its numbers are in typed arrays, so that 100,000 records fit a container and
// the garbage collector does not traverse them. The texts are only in the table.
import type { Entry, Fields } from "./entry.ts";
import { indexedCharactersMax } from "./limits.ts";
import { stemsOf } from "./words.ts";

/** The words of one entry, as numbers, and how often each occurs. */
interface Words {
  terms: Uint32Array;
  counts: Uint16Array;
}

/** Approximate memory of an entry's fields, and of a stem in the vocabulary, without the stem's letters. */
export const entryBytes = 300;
const stemBytes = 120;

/** Collects the entries of a segment. What it keeps of an entry is as compact as in the segment. */
export class SegmentBuilder {
  readonly fields: Fields[] = [];
  readonly lengths: number[] = [];
  readonly own: Words[] = [];
  readonly terms = new Map<string, number>();
  readonly names: string[] = [];
  /** The number of indexed characters so far. */
  characters = 0;

  /** Only the first characters of the text are indexed (see `limits.ts`). */
  add({ text, ...fields }: Entry): void {
    const indexed = text.slice(0, indexedCharactersMax);
    const stems = stemsOf(indexed);
    const counts = new Map<number, number>();
    for (const stem of stems) {
      const term = this.termOf(stem);
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    this.fields.push(fields);
    this.lengths.push(stems.length);
    this.own.push({ terms: Uint32Array.from(counts.keys()), counts: Uint16Array.from(counts.values()) });
    this.characters += indexed.length;
  }

  build(): Segment {
    return new Segment(this);
  }

  private termOf(stem: string): number {
    let term = this.terms.get(stem);
    if (term === undefined) {
      term = this.names.length;
      this.terms.set(stem, term);
      this.names.push(stem);
    }
    return term;
  }
}

export class Segment {
  readonly fields: Fields[];
  /** Number of words of each entry. */
  readonly lengths: Uint32Array;
  readonly words: number;
  /** Approximate memory that the segment takes. */
  readonly bytes: number;
  private readonly terms: ReadonlyMap<string, number>;
  private readonly names: readonly string[];
  /** Postings of term t: from `starts[t]` to `starts[t + 1]` in `entries` and `counts`. */
  private readonly starts: Uint32Array;
  private readonly entries: Uint32Array;
  private readonly counts: Uint16Array;
  /** The terms of entry e: from `ownStarts[e]` in `ownTerms` and `ownCounts`. */
  private readonly ownStarts: Uint32Array;
  private readonly ownTerms: Uint32Array;
  private readonly ownCounts: Uint16Array;

  static of(entries: readonly Entry[]): Segment {
    const builder = new SegmentBuilder();
    for (const entry of entries) builder.add(entry);
    return builder.build();
  }

  constructor({ fields, lengths, own, terms, names }: SegmentBuilder) {
    this.fields = fields;
    this.terms = terms;
    this.names = names;
    this.lengths = Uint32Array.from(lengths);
    this.words = this.lengths.reduce((sum, length) => sum + length, 0);
    const total = own.reduce((sum, words) => sum + words.terms.length, 0);
    this.ownStarts = new Uint32Array(own.length + 1);
    this.ownTerms = new Uint32Array(total);
    this.ownCounts = new Uint16Array(total);
    this.starts = new Uint32Array(names.length + 1);
    this.entries = new Uint32Array(total);
    this.counts = new Uint16Array(total);
    this.fill(own);
    const letters = names.reduce((sum, { length }) => sum + length, 0);
    const arrays = total * (4 + 2) * 2 + names.length * 4 + own.length * 8;
    this.bytes = arrays + letters + names.length * stemBytes + fields.length * entryBytes;
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

  private fill(own: readonly Words[]): void {
    for (const { terms } of own) for (const term of terms) this.starts[term + 1] = this.at(this.starts, term + 1) + 1;
    for (let term = 0; term < this.names.length; term++)
      this.starts[term + 1] = this.at(this.starts, term + 1) + this.at(this.starts, term);
    const next = this.starts.slice();
    let position = 0;
    for (const [entry, { terms, counts }] of own.entries()) {
      this.ownTerms.set(terms, position);
      this.ownCounts.set(counts, position);
      position += terms.length;
      this.ownStarts[entry + 1] = position;
      for (const [index, term] of terms.entries()) {
        const posting = this.at(next, term);
        next[term] = posting + 1;
        this.entries[posting] = entry;
        this.counts[posting] = this.at(counts, index);
      }
    }
  }

  /** The value at an index that is known to be in bounds. */
  private at(array: Uint32Array | Uint16Array, index: number): number {
    return array[index] as number;
  }
}
