/** The most that a line may have. A record has at most 400 KB, and its texts again. */
const bytesMax = 4_000_000;

const lineFeed = 0x0a;

/**
 * The lines of a UTF-8 text, each with its line feed; only the last one can be without. Only a line feed ends a line: a
 * JSON string can contain the other separators. A byte order mark is a character of the first line. Undefined: a line of
 * other bytes than UTF-8, or a line that is too long.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= bytesMax) parts.push(part);
  };
  const line = () => {
    const text = length <= bytesMax ? textOf(Buffer.concat(parts)) : undefined;
    [parts, length] = [[], 0];
    return text;
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, end + 1));
      yield line();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (length > 0) yield line();
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
