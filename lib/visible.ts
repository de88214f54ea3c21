// Texts of others, as people may see them: without characters that nobody sees, and without those that control a terminal
// or change the order of the text around them. Messages leave such characters out, and a terminal and the console show
// their codes (DECISIONS.md#rendering-of-messages).

/** A character that a joiner joins: one of a script with joined letters, or an emoji. */
const joined = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F[\p{M}--\p{DI}][\p{L}--[\p{DI}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]]]`;
const joiner = String.raw`[\u200C\u200D]`;
/** Characters without width or with an effect on others, less numbers signs, which are seen, and what is in `stray`. */
const unseen = String.raw`[[\p{DI}\p{Cf}\p{NChar}\u2800\u{16FE4}\u{1D159}\u{13441}\u{13442}]--[\u200C\u200D\uFE0E\uFE0F\u180B-\u180D\u180F\u0600-\u0605\u06DD\u0890\u0891\u08E2\u{110BD}\u{110CD}]]`;
/** Joiners and selectors where no script and no emoji needs one, and marks that no script piles up so high. */
const stray = String.raw`\p{M}(?<=\p{M}{13})|(?<!${joined})${joiner}|(?<![\p{M}--\p{DI}])${joiner}(?!${joined})|(?<!\p{Emoji})[\uFE0E\uFE0F]|(?<!\p{sc=Mongolian})[\u180B-\u180D\u180F]`;

const hidden = new RegExp(`${unseen}|${stray}`, "gv");
const controls = new RegExp(String.raw`${unseen}|${stray}|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]`, "gv");

/** Without hidden characters. Control characters stay. */
export const withoutHidden = (text: string): string => text.toWellFormed().replace(hidden, "");

/** With codes in place of hidden characters and control characters. It is one line. */
export const visible = (text: string): string =>
  text.replace(controls, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** As `visible`, for text of several lines. */
export const visibleLines = (text: string): string => text.split("\n").map(visible).join("\n");

/** The same JSON, with escapes in place of hidden characters. */
export const visibleJson = (json: string): string =>
  json.replace(controls, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
