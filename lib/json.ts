/**
 * The value of a JSON text, which can begin with a byte order mark. Undefined: it is no JSON. The parser's error is
 * dropped, because it quotes the text.
 */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
