// Counts the values of a JSON text before it is parsed: a parsed value takes far more time and memory than its bytes.

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opens = (code: number) => code === 0x5b || code === 0x7b;
const closes = (code: number) => code === 0x5d || code === 0x7d;
const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** The number of values in JSON, or the first number above `max`. In other text, at least the values before its error. */
export function countValues(text: string, max: number): number {
  let values = 1;
  let before = 0;
  for (let at = 0; at < text.length && values <= max; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) continue;
    if (code === comma || opens(code)) values += 1;
    // It is empty: no value follows the bracket that opened it.
    else if (closes(code) && opens(before)) values -= 1;
    else if (code === quote) at = endOfString(text, at);
    before = code;
  }
  return values;
}

/** The place of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
