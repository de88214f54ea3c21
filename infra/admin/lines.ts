/** The most that a line may have. A record has at most 400 KB. */
const charactersMax = 2_000_000;

/**
 * The lines of a UTF-8 text, without their line feeds. Only a line feed ends a line: a JSON string can contain the other
 * separators. A byte order mark is a character of the first line. Throws for other bytes than UTF-8, and for a line that
 * is too long.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = "";
  for await (const chunk of bytes) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
    if (rest.length > charactersMax) throw new Error(`A line has more than ${charactersMax} characters.`);
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
