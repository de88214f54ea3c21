// Makes texts of users safe to show in messages: bounded, without control characters, and without hidden ones.
import { withoutHidden } from "../../visible.ts";

const controls = /(?!\n)\p{Cc}/gu;
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** One line of at most `charactersMax` characters. */
export function oneLine(text: string, charactersMax: number): string {
  return cut(visible(text).replace(/\s+/g, " ").trim(), charactersMax);
}

/** Lines without empty ones at the ends, at most `charactersMax` characters. Two empty lines are the most between two. */
export function lines(text: string, charactersMax: number): string {
  const separated = visible(text.replace(/\r\n?|[\u2028\u2029]/g, "\n"));
  return cut(
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

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  // Half of a surrogate pair is no character.
  const kept = text.slice(0, charactersMax - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept.trimEnd()}…`;
}

// The name beside an address in a header.
const nameCharactersMax = 64;

/**
 * A company's name as the display name of a sender. It has no characters that look like an address, and none that a mail
 * program could read as part of the header.
 */
export function displayName(text: string): string {
  const plain = withoutHidden(text)
    .replace(/[\p{C}\p{Z}"<>@\\,;:()[\]]+/gu, " ")
    .trim();
  return [...plain].slice(0, nameCharactersMax).join("").trim();
}
