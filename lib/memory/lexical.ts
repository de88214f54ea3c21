// BM25 over segments, with relevance feedback. A first ranking finds the best records. Their most distinctive words
// are added to the question for a second ranking. `npm run bench -- --memory --cranfield DIR` measures the quality.
import { correctedMax } from "../schema/memory.ts";
import type { Filter, Hit } from "./entry.ts";
import { isBuiltWith, isTypoOf, mayBeTypo, partsOf, rootOf } from "./likeness.ts";
import { asked } from "./question.ts";
import type { Segment } from "./segment.ts";

/** k1 and b of BM25: how fast repetitions of a word lose weight, and how much a record's length counts. */
const saturation = 1.5;
const lengthShare = 0.7;
const feedbackRecords = 5;
const feedbackWords = 20;
/** The share of the added words in the weight of the second query. */
const feedbackShare = 0.4;

/** The weight of a stem that has a part in common with a word of the question. */
const relatedShare = 0.5;

/** In a scope of so many records, a word that no record has counts half. In a scope of 10 records, it counts 2 %. */
const recordsUntilHalf = 500;

/** The weight of each stem. */
type Query = Map<string, number>;

interface Candidate {
  segment: Segment;
  entry: number;
  score: number;
}

export class Lexical {
  readonly #segments: readonly Segment[];
  readonly #total: number;
  readonly #meanLength: number;
  /** The stem that was looked for in place of each. */
  readonly #corrections = new Map<string, string>();
  /** The stems of records that have a part in common with each. */
  readonly #relations = new Map<string, readonly string[]>();

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
    this.#total = segments.reduce((sum, segment) => sum + segment.size, 0);
    this.#meanLength = segments.reduce((sum, segment) => sum + segment.words, 0) / Math.max(1, this.#total) || 1;
  }

  /** At most `limit` records that pass the filter, the best first. */
  retrieve(question: string, filter: Filter, limit: number): Hit[] {
    const { stems, subject } = asked(question);
    const words: Query = new Map();
    for (const each of stems) {
      const stem = this.#corrected(each);
      words.set(stem, (words.get(stem) ?? 0) + 1);
    }
    const query = this.#withRelated(words, relatedShare);
    const first = this.#rank(query, query, filter, feedbackRecords);
    if (first.length === 0) return [];
    const weights = this.#weights(subject);
    const total = sumOf(weights.values());
    const covering = this.#withRelated(weights, 1);
    return this.#rank(this.#withFeedback(query, first), query, filter, limit).map(({ segment, entry, score }): Hit => {
      const covered = sumOf(segment.stemsOf(entry).map(([stem]) => covering.get(stem) ?? 0));
      const coverage = total === 0 ? 0 : Math.min(1, covered / total);
      return { fields: segment.fields[entry] as never, score, coverage };
    });
  }

  /**
   * The weights of a question's words in the coverage. Records in a small scope use the same words, so a word of all
   * records keeps a part of its weight. A few records cannot have all words with which people ask. So a word that no
   * record has counts less if there are few records.
   */
  #weights(subject: readonly string[]): Map<string, number> {
    const share = this.#total / (this.#total + recordsUntilHalf);
    return new Map(
      subject.map((each) => {
        const stem = this.#corrected(each);
        return [stem, (1 + this.#rarity(stem)) * (this.#frequency(stem) > 0 ? 1 : share)];
      }),
    );
  }

  /** The stem. If no record has it: the most frequent stem that differs by one letter. */
  #corrected(stem: string): string {
    const known = this.#corrections.get(stem);
    if (known !== undefined) return known;
    if (!mayBeTypo(stem) || this.#corrections.size === correctedMax || this.#frequency(stem) > 0) return stem;
    const frequencies = new Map<string, number>();
    for (const segment of this.#segments)
      for (const each of segment.stems())
        if (isTypoOf(stem, each)) frequencies.set(each, (frequencies.get(each) ?? 0) + segment.frequency(each));
    let [best, most] = [stem, 0];
    for (const [each, frequency] of frequencies) if (frequency > most) [best, most] = [each, frequency];
    this.#corrections.set(stem, best);
    return best;
  }

  /** With the related stems of each stem, which get a share of its weight. */
  #withRelated(query: Query, share: number): Query {
    const joined = new Map(query);
    for (const [stem, weight] of query)
      for (const related of this.#related(stem)) joined.set(related, (joined.get(related) ?? 0) + weight * share);
    return joined;
  }

  /** Stems of records that are a part of the stem or contain it, such as the words in a German compound. */
  #related(stem: string): readonly string[] {
    const known = this.#relations.get(stem);
    if (known !== undefined) return known;
    const root = rootOf(stem, this.#frequency(stem) > 0);
    if (root === undefined || this.#relations.size === correctedMax) return [];
    const related = new Set(partsOf(stem).filter((part) => this.#frequency(part) > 0));
    for (const segment of this.#segments)
      for (const each of segment.stemsWith(root)) if (each !== stem && isBuiltWith(root, each)) related.add(each);
    this.#relations.set(stem, [...related]);
    return [...related];
  }

  #frequency(stem: string): number {
    return this.#segments.reduce((sum, segment) => sum + segment.frequency(stem), 0);
  }

  #rarity(stem: string): number {
    const frequency = this.#frequency(stem);
    return Math.log(1 + (this.#total - frequency + 0.5) / (frequency + 0.5));
  }

  /** Ranks only entries that have a word of `asked`: added words change the order, but find no further entries. */
  #rank(query: Query, asked: Query, filter: Filter, limit: number): Candidate[] {
    const best: Candidate[] = [];
    for (const segment of this.#segments) {
      const scores = this.#scores(segment, query, asked);
      for (let entry = 0; entry < segment.size; entry++) {
        const score = scores[entry] as number;
        if (score <= (best.length < limit ? 0 : (best.at(-1)?.score ?? 0))) continue;
        if (filter(segment.fields[entry] as never)) insert(best, { segment, entry, score }, limit);
      }
    }
    return best;
  }

  /** The score of each entry of a segment; 0 for entries without a word of `asked`. */
  #scores(segment: Segment, query: Query, asked: Query): Float32Array {
    const scores = new Float32Array(segment.size);
    const isAsked = new Uint8Array(segment.size);
    for (const [stem, weight] of query) {
      const factor = weight * this.#rarity(stem) * (saturation + 1);
      const { entries, counts } = segment.postings(stem);
      if (asked.has(stem)) for (const entry of entries) isAsked[entry] = 1;
      for (let index = 0; index < entries.length; index++) {
        const entry = entries[index] as number;
        const count = counts[index] as number;
        const length = 1 - lengthShare + (lengthShare * (segment.lengths[entry] as number)) / this.#meanLength;
        scores[entry] = (scores[entry] as number) + (factor * count) / (count + saturation * length);
      }
    }
    for (let entry = 0; entry < segment.size; entry++) if (!isAsked[entry]) scores[entry] = 0;
    return scores;
  }

  #withFeedback(query: Query, first: readonly Candidate[]): Query {
    const sum = first.reduce((all, { score }) => all + score, 0);
    const candidates: Query = new Map();
    for (const { segment, entry, score } of first) {
      for (const [stem, count] of segment.stemsOf(entry)) {
        const part = ((score / sum) * count * this.#rarity(stem)) / (segment.lengths[entry] as number);
        candidates.set(stem, (candidates.get(stem) ?? 0) + part);
      }
    }
    const best = [...candidates].toSorted((one, other) => other[1] - one[1]).slice(0, feedbackWords);
    const weights = [...query.values()].reduce((all, weight) => all + weight, 0);
    const addedWeights = best.reduce((all, [, weight]) => all + weight, 0);
    const joined: Query = new Map();
    for (const [stem, weight] of query) joined.set(stem, ((1 - feedbackShare) * weight) / weights);
    for (const [stem, weight] of best)
      joined.set(stem, (joined.get(stem) ?? 0) + (feedbackShare * weight) / addedWeights);
    return joined;
  }
}

/** Inserts by score, the best first, and keeps at most `limit`. */
function insert(best: Candidate[], candidate: Candidate, limit: number): void {
  let at = best.length;
  while (at > 0 && (best[at - 1] as Candidate).score < candidate.score) at--;
  best.splice(at, 0, candidate);
  if (best.length > limit) best.pop();
}

const sumOf = (values: Iterable<number>) => [...values].reduce((sum, each) => sum + each, 0);
