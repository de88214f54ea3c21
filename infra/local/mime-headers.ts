// The headers of a message, as its reader sees them.
export interface Header {
  /** In lower case. */
  name: string;
  /** Unfolded and decoded. */
  value: string;
}

export function headersOf(raw: Buffer): Header[] {
  const [head = ""] = raw.toString("utf8").split(/\r?\n\r?\n/);
  return head
    .replace(/\r?\n(?=[ \t])/g, "")
    .split(/\r?\n/)
    .map((line) => {
      const colon = line.indexOf(":");
      return { name: line.slice(0, colon).toLowerCase(), value: decoded(line.slice(colon + 1).trim()) };
    });
}

/** Decodes the encoded words of RFC 2047. */
function decoded(value: string): string {
  return value
    .replace(/(\?=)\s+(?==\?)/g, "$1")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === "b" ? Buffer.from(text, "base64").toString("utf8") : decodedQ(text),
    );
}

function decodedQ(text: string): string {
  const latin1 = text
    .replaceAll("_", " ")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, "latin1").toString("utf8");
}
