// Whether two stems are likely the same word, or one is a part of the other.
import { isShort } from "./words.ts";

/** Shorter stems have too many neighbours that are other words. */
const lettersMin = 6;
/** A digit that differs makes another number or name. */
const onlyLetters = /^\p{L}+$/u;

/** Whether a stem without a record is compared with the stems of records. */
export const mayBeTypo = (word: string) => word.length >= lettersMin && onlyLetters.test(word);

/** Whether `word` is `other` with one letter more, less or changed, or two swapped, except the first letter. */
export function isTypoOf(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1 || word[0] !== other[0] || word === other) return false;
  if (!mayBeTypo(other)) return false;
  const start = commonStart(word, other);
  const [rest, otherRest] = [word.slice(start), other.slice(start)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2))
  );
}

function commonStart(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  return index;
}

/** Shorter parts are often there by chance. A stem that no record has may be a shorter part. */
const partMin = 6;
const partOfUnknownMin = 5;
/** The least letters before a part that does not begin the word, and the most letters after it. */
const beforeMin = 4;
const afterMax = 2;

/** The stem without its ending: what longer stems contain. Undefined if it is too short. */
export function rootOf(stem: string, isKnown: boolean): string | undefined {
  if (isShort(stem)) return stem;
  const least = isKnown ? partMin : partOfUnknownMin;
  if (stem.length < least || !onlyLetters.test(stem)) return undefined;
  // An ending of German, and one letter in place of two at the end.
  const root = stem.replace(/(?:e[nrs]?|n|s)$/, "").replace(/(\p{L})\1$/u, "$1");
  return root.length < least ? stem : root;
}

/** Whether a stem that contains the root begins with it, or nearly ends with it. */
export function isBuiltWith(root: string, stem: string): boolean {
  if (isShort(root)) return true;
  const before = stem.lastIndexOf(root);
  const isPart = before === 0 || (before >= beforeMin && stem.length - before - root.length <= afterMax);
  return isPart && onlyLetters.test(stem);
}

/** The beginnings and ends of a stem that can be words of their own. */
export function partsOf(stem: string): string[] {
  const parts: string[] = [];
  for (let length = partOfUnknownMin; length <= stem.length - beforeMin; length++)
    parts.push(stem.slice(0, length), stem.slice(-length));
  return parts;
}
