// Splits text into the stems that retrieval compares. Stemmer and stop words are English. Words of other languages are
// stemmed by the same rules.
import { stem } from "porter2";

/** Words that say nothing about the subject of a text. */
const stopWords = new Set(
  `a about an and any are as at be been being between both but by can could did do does during each for from had has
   have he her his how i if in into is it its may me more most my no not of on or other our she should so some such
   than that the their them then there these they this those through to under us very was we were what when where
   which who whom why will with would you your`.split(/\s+/),
);
/** Letters of a word that count. */
const charactersMax = 64;

/** Cache of stems: texts repeat their words, and a lookup is cheaper than the stemmer. */
const known = new Map<string, string>();
const knownMax = 50_000;

/** Characters that normalising sorts, 30 in a row. More are no text: the time for them grows with their square. */
const manyMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** The text in the form in which texts are compared. */
export const normal = (text: string): string => text.replace(manyMarks, "$1").normalize("NFKC").toLowerCase();

/** The words of a text, in order and with repetitions. Each word can keep the whole text in memory. */
export const wordsOf = (text: string): string[] => normal(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The stem of a word as `wordsOf` returns it; undefined for a stop word. */
export function stemOf(word: string): string | undefined {
  if (stopWords.has(word)) return undefined;
  const counting = word.length > charactersMax ? word.slice(0, charactersMax) : word;
  const found = known.get(counting);
  if (found !== undefined) return found;
  const kept = copyOf(counting);
  const stemmed = stem(kept);
  if (known.size >= knownMax) known.clear();
  known.set(kept, stemmed);
  return stemmed;
}

/** The stems of a text, in order and with repetitions. */
export function stemsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => stemOf(word) ?? []);
}

/** V8 copies shorter parts of a string. A longer one refers to the whole string, which then stays in memory. */
const copiedLength = 12;

const copyOf = (part: string) => (part.length > copiedLength ? Buffer.from(part).toString() : part);
