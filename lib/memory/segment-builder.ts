// Collects the entries of a segment, as compactly as the segment keeps them.
import type { Entry, Fields } from "./entry.ts";
import { comparable, stemOf, wordsIn } from "./words.ts";

/** Stands for the term of a word that is not indexed. */
const noTerm = -1;

/** Terms, and how often each occurs in its entry, one entry after the other. The arrays double when they are full. */
class Occurrences {
  terms = new Uint32Array(256);
  counts = new Uint16Array(256);
  size = 0;

  add(term: number): void {
    if (this.size === this.terms.length) this.grow();
    this.terms[this.size] = term;
    this.counts[this.size] = 1;
    this.size += 1;
  }

  private grow(): void {
    const { terms, counts } = this;
    this.terms = new Uint32Array(terms.length * 2);
    this.counts = new Uint16Array(counts.length * 2);
    this.terms.set(terms);
    this.counts.set(counts);
  }
}

export class SegmentBuilder {
  readonly fields: Fields[] = [];
  /** Number of words of each entry. */
  readonly lengths: number[] = [];
  readonly own = new Occurrences();
  /** Where in `own` each entry begins. */
  readonly ownStarts: number[] = [];
  /** The term of each stem, and the stem of each term. */
  readonly terms = new Map<string, number>();
  readonly names: string[] = [];
  /** The number of entries that have the term. */
  readonly frequencies: number[] = [];
  /** The number of indexed characters so far, in the form in which texts are compared. */
  characters = 0;
  /** The last place of each term in `own`. */
  private readonly places: number[] = [];
  /** The term of each word. It saves two lookups: the word's stem, and the stem's term. */
  private readonly termOfWord = new Map<string, number>();

  add({ text, ...fields }: Entry): void {
    const indexed = comparable(text);
    const start = this.own.size;
    let length = 0;
    for (const word of wordsIn(indexed)) {
      const term = this.termOfWord.get(word) ?? this.learn(word);
      if (term === noTerm) continue;
      length += 1;
      this.count(term, start);
    }
    this.fields.push(fields);
    this.lengths.push(length);
    this.ownStarts.push(start);
    this.characters += indexed.length;
  }

  /** Counts a term of the entry that begins at `start`. */
  private count(term: number, start: number): void {
    const place = this.places[term] as number;
    if (place >= start) {
      this.own.counts[place] = (this.own.counts[place] as number) + 1;
      return;
    }
    this.places[term] = this.own.size;
    this.frequencies[term] = (this.frequencies[term] as number) + 1;
    this.own.add(term);
  }

  private learn(word: string): number {
    const stem = stemOf(word);
    const term = stem === undefined ? noTerm : this.termOf(stem);
    this.termOfWord.set(word, term);
    return term;
  }

  private termOf(stem: string): number {
    const known = this.terms.get(stem);
    if (known !== undefined) return known;
    const term = this.names.length;
    this.terms.set(stem, term);
    this.names.push(stem);
    this.frequencies.push(0);
    this.places.push(-1);
    return term;
  }
}
