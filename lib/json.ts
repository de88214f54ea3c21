/**
 * What the JSON says; undefined: it is no JSON. Programs of others can begin it with a byte order mark. The parser's error
 * is dropped, because it quotes the text.
 */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
