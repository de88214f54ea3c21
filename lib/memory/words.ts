// Splits text into the stems that retrieval compares, the same in records and questions. Words of scripts without
// spaces, and of scripts whose words change at both ends, are split into parts of two or three characters. Stemmer and
// stop words are English. Words of other alphabets are stemmed by the same rules.
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

/**
 * Characters of a text that are compared, after normalising: one character can become 18 (U+FDFA). The longest judgment
 * of 64 KB and the name of its author have fewer in any language.
 */
const comparedMax = 66_560;

/** Cache of stems: texts repeat their words, and a lookup is cheaper than the stemmer. */
const known = new Map<string, string>();
const knownMax = 50_000;

/** Characters that normalising sorts, 30 in a row. More are no text: the time for them grows with their square. */
const manyMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** The text in the form in which texts are compared. */
export const normal = (text: string): string => text.replace(manyMarks, "$1").normalize("NFKC").toLowerCase();

/** ASCII, and quotes and dashes. */
const isPlain = /^[\0-\x7f\u2010-\u2026]*$/;
/** Characters that people leave out: accents, vowel points, the nukta, and characters that only change the look. */
const optional =
  /[[\p{sc=Inherited}--[\u3099\u309a]][\p{sc=Hebrew}&&\p{Mn}][\p{sc=Arabic}&&\p{Mn}]\u0640\u093c\u09bc\u0a3c\xad\u2060\ufeff]/gv;
/** Letters that people write in two ways, and one of these ways. */
const variants = new Map(
  "ß=ss æ=ae œ=oe ø=o ł=l đ=d ð=d þ=th ı=i ς=σ ى=ي ی=ي ک=ك ة=ه ँ=ं"
    .split(" ")
    .map((each) => each.split("=") as [string, string]),
);
const variant = new RegExp(`[${[...variants.keys()].join("")}]`, "gu");

/** The start of a text, without what people leave out or write in several ways: case, accents, width. */
export function comparable(text: string): string {
  const start = text.slice(0, comparedMax);
  if (isPlain.test(start)) return start.toLowerCase();
  const plain = normal(start).slice(0, comparedMax).normalize("NFKD").replace(optional, "").normalize("NFC");
  return plain.replace(variant, (letter) => variants.get(letter) ?? letter).slice(0, comparedMax);
}

/** Scripts whose words are split into pairs of characters, and into triples. Each has the characters of one run. */
const inPairs = ["\\p{sc=Han}", "\\p{sc=Hira}", "\\p{sc=Kana}ー", "\\p{sc=Hang}"];
const inTriples = ["\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}", "\\p{sc=Arab}", "\\p{sc=Hebr}"];
const runsOf = (scripts: readonly string[]) => scripts.map((script) => `[${script}]+`).join("|");
const runs = new RegExp(`(${runsOf(inPairs)})|(${runsOf(inTriples)})|[^${[...inPairs, ...inTriples].join("")}]+`, "gv");
const short = new RegExp(`^(?:[${inPairs.join("")}]|[${inTriples.join("")}]{1,2})$`, "v");
/** All letters of Latin, Greek, Cyrillic and Armenian are before this character. */
const isAlphabetic = /^[^\u0590-\uffff]*$/;

/** Whether a stem is shorter than the parts of words of its script. Parts that contain it are looked for too. */
export const isShort = (stem: string): boolean => short.test(stem);

/** The words of a text, or their parts, in order and with repetitions. Each can keep the whole text in memory. */
export const wordsOf = (text: string): string[] => wordsIn(comparable(text));

/** The words of a text that `comparable` returned. */
export function wordsIn(text: string): string[] {
  if (isPlain.test(text)) return text.match(/[a-z0-9]+/g) ?? [];
  const words: string[] = [];
  for (const word of text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []) {
    if (isAlphabetic.test(word)) words.push(word);
    else addParts(word, words);
  }
  return words;
}

/** Adds the parts of a word in several scripts. A run that is not longer than a part is added as it is. */
function addParts(word: string, words: string[]): void {
  for (const [run, pairs, triples] of word.matchAll(runs)) {
    const length = pairs ? 2 : triples ? 3 : run.length;
    for (let at = 0; at === 0 || at + length <= run.length; at++) words.push(run.slice(at, at + length));
  }
}

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
