/** Shorter stems have too many neighbours that are other words. */
const lettersMin = 6;
/** A digit that differs makes another number or name. */
const onlyLetters = /^\p{L}+$/u;

/** Whether `word` is `other` with one letter more, less or changed, or two neighbours swapped. The first is the same. */
export function isTypoOf(word: string, other: string): boolean {
  if (word.length < lettersMin || other.length < lettersMin || Math.abs(word.length - other.length) > 1) return false;
  if (word[0] !== other[0] || word === other) return false;
  if (!onlyLetters.test(word) || !onlyLetters.test(other)) return false;
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
