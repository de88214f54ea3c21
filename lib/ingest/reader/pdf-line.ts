// The text of pieces that stand side by side, as people read it.

interface Text {
  text: string;
  x: number;
  right: number;
  size: number;
}

const leftward = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/v;
const rightward = new RegExp(String.raw`[[\p{L}\p{N}\p{Sc}%]--${leftward.source}]`, "v");
const leftwardRun = new RegExp(`${leftward.source}(?:[^${rightward.source}]*${leftward.source})?`, "gv");
const rightwardRun = new RegExp(`${rightward.source}(?:[^${leftward.source}]*${rightward.source})?`, "gv");

const reversed = (text: string) => [...text].reverse().join("");

/** Turns a text from the order on the page, from left to right, into the order of reading, and back. */
export const turned = (text: string, isLeftward: boolean) =>
  isLeftward ? reversed(text).replace(rightwardRun, reversed) : text.replace(leftwardRun, reversed);

/** Whether more letters of the text are read from right to left than from left to right. */
export function readsLeftward(text: string): boolean {
  if (!leftward.test(text)) return false;
  let count = 0;
  for (const [letter] of text.matchAll(/\p{L}/gu)) count += leftward.test(letter) ? 1 : -1;
  return count > 0;
}

/** Letters with a gap after each, as in titles. */
export const spread = /^\p{L}(?: \p{L})+$/u;

/**
 * The text of pieces that are given from left to right. `isLeftward`: the page is read from right to left, so a text
 * with both directions is too.
 */
export function textOf(pieces: readonly Text[], isLeftward: boolean): string {
  let seen = "";
  // Only further words tell that a gap in the first one is none.
  const isSpread = pieces.length > 1 && pieces.every(({ text }) => spread.test(text));
  pieces.forEach((piece, at) => {
    const text = isSpread ? piece.text.replaceAll(" ", "") : piece.text;
    const last = pieces[at - 1];
    const isApart = last && piece.x - last.right > Math.min(piece.size, last.size) * 0.13;
    seen += isApart ? ` ${text}` : text;
  });
  if (!leftward.test(seen)) return clean(seen);
  return withBrackets(clean(turned(seen, isLeftward || readsLeftward(seen))));
}

/** Ligatures and the joined forms of Arabic letters: fonts name their glyphs like that. */
const joinedForms = /[\ufb00-\ufdff\ufe70-\ufefc]+/g;
/** Ligatures of fonts that use characters for private use. */
const privateForms: Record<string, string> = { "\uf001": "fi", "\uf002": "fl" };
const invisible = /[\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

const clean = (text: string) =>
  text
    .replace(joinedForms, (forms) => forms.normalize("NFKC"))
    .replace(/[\uf001\uf002]/g, (character) => privateForms[character] ?? "")
    .replace(/\s+/g, " ")
    .replace(invisible, "")
    .trim();

const mirrored: Record<string, string> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" };

/** Some programs store the bracket that is seen, others the one that is meant. The first one opens. */
function withBrackets(text: string): string {
  const isSeen = /^[^()[\]{}]*[)\]}]/.test(text);
  return isSeen ? text.replace(/[()[\]{}]/g, (bracket) => mirrored[bracket] ?? "") : text;
}
