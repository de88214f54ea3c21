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
const charactersMax = 64;

/** Cache of stems: texts repeat their words, and a lookup is cheaper than the stemmer. */
const known = new Map<string, string>();
const knownMax = 50_000;

/** The stems of a text, in order and with repetitions. */
export function stemsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const stems: string[] = [];
  for (const word of words) if (!stopWords.has(word)) stems.push(known.get(word) ?? stemOf(word));
  return stems;
}

function stemOf(word: string): string {
  const found = stem(word.slice(0, charactersMax));
  if (known.size >= knownMax) known.clear();
  known.set(word, found);
  return found;
}
