// Makes texts of users safe to show in messages: bounded, without control characters, and without hidden ones.
import { beginning, shortened } from "../../beginning.ts";
import { withoutHidden } from "../../visible.ts";

const controls = /(?!\n)\p{Cc}/gu;
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** One line of at most `charactersMax` characters, in composed form. */
export function oneLine(text: string, charactersMax: number): string {
  return shortened(composed(visible(text).replace(/\s+/g, " ").trim(), charactersMax), charactersMax);
}

/**
 * Lines without empty lines at the beginning and the end, at most `charactersMax` characters. Of several empty lines in
 * a row, two stay.
 */
export function lines(text: string, charactersMax: number): string {
  const separated = visible(text.replace(/\r\n?|[\u2028\u2029]/g, "\n"));
  return shortened(
    separated
      .replace(/(?<![^\S\n])[^\S\n]+$/gm, "")
      .replace(/\n{4,}/g, "\n\n\n")
      .trim(),
    charactersMax,
  );
}

/** Text from right to left does not reorder a sentence around it. */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

const visible = (text: string) => withoutHidden(text).replace(controls, " ");

/**
 * The composed form (NFC), which is shorter, of the part that is kept: four units can become one. The form of a long text
 * can take a time that grows with the square of its length.
 */
const composed = (text: string, charactersMax: number): string => text.slice(0, 4 * charactersMax + 8).normalize("NFC");

/** The text of a header, which mail programs do not decode (RFC 2047): decoded, it could have hidden characters. */
export const withoutEncodedWords = (text: string): string => text.replaceAll("=?", "= ?");

// The name beside an address in a header.
const nameCharactersMax = 64;

/**
 * A company's name as the display name of a sender. It has no character that marks an address. The writer of the header
 * puts it in quotes.
 */
export function displayName(text: string): string {
  const plain = visible(text)
    .replace(/[\s<>@]+/g, " ")
    .trim();
  return beginning(composed(withoutEncodedWords(plain), nameCharactersMax), nameCharactersMax).trim();
}
