/** What the JSON says; undefined: it is no JSON. The parser's error is dropped, because it quotes the text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
