// Text of others on a terminal.

/** Without characters that control a terminal or change the order of a line. It is one line. */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** As `visible`, for text of several lines. */
export const visibleLines = (text: string): string => text.split("\n").map(visible).join("\n");
