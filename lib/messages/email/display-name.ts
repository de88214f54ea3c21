// The name beside an address in a header.
const nameCharactersMax = 64;

/**
 * A company's name as the display name of a sender. It has no characters that look like an address, and none that a mail
 * program could read as part of the header.
 */
export function displayName(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{C}\p{Z}"<>@\\,;:()[\]]+/gu, " ")
    .trim();
  return [...plain].slice(0, nameCharactersMax).join("").trim();
}
