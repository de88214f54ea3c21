// BM25 over segments, with relevance feedback: the first ranking's best records lend the question their most telling
// words, and the second ranking is by both. How well that finds: `npm run bench -- --memory --cranfield DIR`.
import type { Filter, Hit, Retriever } from "./retriever.ts";
import type { Segment } from "./segment.ts";
import { stemsOf } from "./words.ts";

/** How soon a word that is repeated stops counting, and how much a long record is held back. */
const saturation = 1.5;
const lengthShare = 0.7;
const feedbackRecords = 5;
const feedbackWords = 20;
/** The lent words' share of the second question's weight. */
const feedbackShare = 0.4;

/** Weight of each stem of a question. */
type Query = Map<string, number>;

interface Place {
  segment: Segment;
  entry: number;
  score: number;
}

export function lexical(segments: readonly Segment[]): Retriever {
  const total = segments.reduce((sum, segment) => sum + segment.size, 0);
  const meanLength = segments.reduce((sum, segment) => sum + segment.words, 0) / Math.max(1, total) || 1;
  const rarity = (stem: string) => {
    const frequency = segments.reduce((sum, segment) => sum + segment.frequency(stem), 0);
    return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
  };

  /** Only entries that have a word of `asked`: lent words order what is found, and find nothing themselves. */
  function rank(query: Query, asked: Query, filter: Filter, limit: number): Place[] {
    const best: Place[] = [];
    for (const segment of segments) {
      const scores = new Float32Array(segment.size);
      const isAsked = new Uint8Array(segment.size);
      for (const [stem, weight] of query) {
        const factor = weight * rarity(stem) * (saturation + 1);
        const { entries, counts } = segment.postings(stem);
        if (asked.has(stem)) for (const entry of entries) isAsked[entry] = 1;
        for (let index = 0; index < entries.length; index++) {
          const entry = entries[index] as number;
          const count = counts[index] as number;
          const length = 1 - lengthShare + (lengthShare * (segment.lengths[entry] as number)) / meanLength;
          scores[entry] = (scores[entry] as number) + (factor * count) / (count + saturation * length);
        }
      }
      for (let entry = 0; entry < segment.size; entry++) {
        const score = isAsked[entry] ? (scores[entry] as number) : 0;
        if (score <= (best.length < limit ? 0 : (best.at(-1)?.score ?? 0))) continue;
        if (filter(segment.fields[entry] as never)) insert(best, { segment, entry, score }, limit);
      }
    }
    return best;
  }

  function withFeedback(query: Query, first: readonly Place[]): Query {
    const sum = first.reduce((all, { score }) => all + score, 0);
    const lent: Query = new Map();
    for (const { segment, entry, score } of first) {
      for (const [stem, count] of segment.stemsOf(entry)) {
        const part = ((score / sum) * count * rarity(stem)) / (segment.lengths[entry] as number);
        lent.set(stem, (lent.get(stem) ?? 0) + part);
      }
    }
    const best = [...lent].toSorted((one, other) => other[1] - one[1]).slice(0, feedbackWords);
    const weights = [...query.values()].reduce((all, weight) => all + weight, 0);
    const lentWeights = best.reduce((all, [, weight]) => all + weight, 0);
    const joined: Query = new Map();
    for (const [stem, weight] of query) joined.set(stem, ((1 - feedbackShare) * weight) / weights);
    for (const [stem, weight] of best)
      joined.set(stem, (joined.get(stem) ?? 0) + (feedbackShare * weight) / lentWeights);
    return joined;
  }

  return {
    retrieve(question, filter, limit) {
      const query: Query = new Map();
      for (const stem of stemsOf(question)) query.set(stem, (query.get(stem) ?? 0) + 1);
      const first = rank(query, query, filter, feedbackRecords);
      if (first.length === 0) return [];
      const asked = [...query.keys()].map((stem) => [stem, rarity(stem)] as const);
      const weight = asked.reduce((sum, [, each]) => sum + each, 0);
      return rank(withFeedback(query, first), query, filter, limit).map(({ segment, entry, score }): Hit => {
        const own = new Set(segment.stemsOf(entry).map(([stem]) => stem));
        const covered = asked.reduce((sum, [stem, each]) => sum + (own.has(stem) ? each : 0), 0);
        return { fields: segment.fields[entry] as never, score, coverage: covered / weight };
      });
    },
  };
}

/** Keeps the list sorted, the best first, at its length. */
function insert(best: Place[], place: Place, limit: number): void {
  let at = best.length;
  while (at > 0 && (best[at - 1] as Place).score < place.score) at--;
  best.splice(at, 0, place);
  if (best.length > limit) best.pop();
}
