const segmenter = new Intl.Segmenter();

/**
 * The beginning of a text, of at most `charactersMax` UTF-16 units. It ends between two characters as a reader sees them,
 * such as flags and letters with accents. Every cut of a text that people read is made here.
 */
export function beginning(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  // The code point behind the cut decides whether a character goes on.
  const read = text.slice(0, charactersMax + 2);
  return text.slice(0, segmenter.segment(read).containing(charactersMax)?.index);
}

/** The text, of at most `charactersMax` UTF-16 units. A text that is cut ends with a mark. */
export const shortened = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : `${beginning(text, charactersMax - 1).trimEnd()}…`;
