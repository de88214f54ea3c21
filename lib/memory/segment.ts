// An immutable inverted index of records. Its numbers are in typed arrays, so that 100,000 records fit a container and
// the garbage collector does not traverse them. The texts are only in the table.
import type { Entry, Fields } from "./entry.ts";
import { SegmentBuilder } from "./segment-builder.ts";

/** Approximate memory of an entry's fields, and of a stem in the vocabulary, without the stem's letters. */
export const entryBytes = 300;
const stemBytes = 120;

export class Segment {
  readonly fields: Fields[];
  /** Number of words of each entry. */
  readonly lengths: Uint32Array;
  readonly words: number;
  /** Approximate memory that the segment takes. */
  readonly bytes: number;
  private readonly terms: ReadonlyMap<string, number>;
  private readonly names: readonly string[];
  /** The stems as lines. */
  private lines: string | undefined;
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
    return new Segment(builder);
  }

  constructor({ fields, lengths, terms, names, frequencies, own, ownStarts }: SegmentBuilder) {
    this.fields = fields;
    this.terms = terms;
    this.names = names;
    this.lengths = new Uint32Array(lengths);
    this.words = this.lengths.reduce((sum, length) => sum + length, 0);
    const total = own.size;
    this.ownStarts = new Uint32Array([...ownStarts, total]);
    this.ownTerms = own.terms.slice(0, total);
    this.ownCounts = own.counts.slice(0, total);
    this.starts = new Uint32Array(names.length + 1);
    for (const [term, frequency] of frequencies.entries())
      this.starts[term + 1] = this.at(this.starts, term) + frequency;
    this.entries = new Uint32Array(total);
    this.counts = new Uint16Array(total);
    this.fill();
    const letters = names.reduce((sum, { length }) => sum + length, 0);
    const arrays = total * (4 + 2) * 2 + names.length * 4 + fields.length * 8;
    this.bytes = arrays + 2 * letters + names.length * stemBytes + fields.length * entryBytes;
  }

  get size(): number {
    return this.fields.length;
  }

  /** All stems of the entries. */
  stems(): Iterable<string> {
    return this.names;
  }

  /** All stems that contain a text. One search of a long string takes a tenth of the time of many of short ones. */
  stemsWith(text: string): string[] {
    this.lines ??= `\n${this.names.join("\n")}\n`;
    const found: string[] = [];
    for (let end = 0, at = this.lines.indexOf(text); at >= 0; at = this.lines.indexOf(text, end)) {
      end = this.lines.indexOf("\n", at);
      found.push(this.lines.slice(this.lines.lastIndexOf("\n", at) + 1, end));
    }
    return found;
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

  /** Sorts the occurrences by term. */
  private fill(): void {
    const next = this.starts.slice();
    for (let entry = 0; entry < this.size; entry++) {
      const end = this.at(this.ownStarts, entry + 1);
      for (let index = this.at(this.ownStarts, entry); index < end; index++) {
        const term = this.at(this.ownTerms, index);
        const posting = this.at(next, term);
        next[term] = posting + 1;
        this.entries[posting] = entry;
        this.counts[posting] = this.at(this.ownCounts, index);
      }
    }
  }

  /** The value at an index that is known to be in bounds. */
  private at(array: Uint32Array | Uint16Array, index: number): number {
    return array[index] as number;
  }
}
