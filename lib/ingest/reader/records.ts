// Splits a table in text form into records. It also reads what a strict parser refuses: quotes inside quotes, and quotes
// that never close.

/** The records of a text. `onFault` is called with the position of each quote that never closes. */
export function* recordsOf(
  text: string,
  delimiter: string,
  onFault: (position: number) => void = () => {},
): Generator<string[]> {
  const end = `\r\n${delimiter && `\\${delimiter}`}`;
  const plain = new RegExp(`[^${end}]*`, "y");
  const opening = / *"/y;
  const closing = new RegExp(`"${delimiter === "\t" ? " *" : "[ \t]*"}(?=[${end}]|$)`, "y");
  const isEnd = new RegExp(`[${end}]`);
  // RFC 4180 doubles a quote in a cell. Databases write \" instead.
  const hasBackslashes = new RegExp(`\\\\"[^"${end}]`).test(text);
  let isUnclosed = false;
  let plainUntil = 0;

  const isEscaped = (at: number) =>
    hasBackslashes && (/(?<!\\)\\*$/.exec(text.slice(at - 20, at))?.[0].length ?? 0) % 2 === 1;
  let lastLineEnd = -1;
  const lineEnd = (from: number) => {
    if (from > lastLineEnd) lastLineEnd = from + text.slice(from).search(/[\r\n]|$/);
    return lastLineEnd;
  };

  /** The position of the quote that closes a cell, or -1. A cell with bare quotes ends on its line. */
  function endOf(from: number): number {
    let isLine = isUnclosed;
    let limit = isLine ? lineEnd(from) : text.length;
    let [isInner, innerEnd] = [false, -1];
    for (let at = text.indexOf('"', from); at >= 0 && at < limit; at = text.indexOf('"', at + 1)) {
      if (isEscaped(at)) continue;
      const isDouble = text[at + 1] === '"';
      const last = isDouble && isInner ? at + 1 : at;
      if ((!isDouble || isInner) && endAt(closing, text, last) >= 0) {
        if (!isInner || isDouble) return last;
        // The end of a quotation in the cell: "Press "Buy", then "Pay"". Or the end of the cell, if no other follows.
        if (innerEnd < 0) innerEnd = at;
        isInner = false;
      } else if (isDouble) at++;
      // A quote where a cell begins: the cell before it never closed.
      else if (at > from && isEnd.test(text[at - 1] as string)) return innerEnd;
      else {
        isInner = /[\s(]/.test(text[at - 1] as string);
        if (!isLine) limit = lineEnd(from);
        isLine = true;
      }
    }
    if (innerEnd >= 0) return innerEnd;
    // One search to the end of the text is enough, and then one in each line.
    if (isLine) plainUntil = limit;
    else isUnclosed = true;
    return -1;
  }

  let cells: string[] = [];
  for (let at = 0; at < text.length; ) {
    const from = at < plainUntil ? -1 : endAt(opening, text, at);
    const close = from < 0 ? -1 : endOf(from);
    if (close >= 0) {
      const cell = text.slice(from, close).replaceAll('""', '"');
      cells.push(hasBackslashes ? cell.replace(/\\(["\\])/g, "$1") : cell);
      at = endAt(closing, text, close);
    } else {
      const next = endAt(plain, text, at);
      const cell = text.slice(at, next);
      const isFaulty = from >= 0 && cell.split('"').length % 2 === 0;
      if (isFaulty) onFault(at);
      cells.push(isFaulty ? cell.replace('"', "") : cell);
      at = next;
    }
    if (text[at] === delimiter) {
      at++;
      if (at < text.length) continue;
      cells.push("");
    }
    yield cells;
    cells = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
}

/** The place of a sticky pattern's end, or -1 if it does not match at that place. */
function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const delimiters = ["\t", ";", "|", ","];
const sampleCharacters = 50_000;

interface Shape {
  delimiter: string;
  records: number;
  /** The share of the records that have the most frequent number of columns. 0: that number is one. */
  share: number;
  /** The share of the delimiters that have a space behind them, as in prose. */
  spaced: number;
}

/** How each delimiter divides the beginning of a text. The best comes first. */
function shapesOf(text: string): Shape[] {
  const sample = text.slice(0, sampleCharacters);
  const shapes = delimiters.map((delimiter) => {
    const records = [...recordsOf(sample, delimiter)].filter((cells) => cells.some((cell) => cell.trim() !== ""));
    // The sample ends inside of a record.
    if (sample.length < text.length && records.length > 1) records.pop();
    const counts = new Map<number, number>();
    for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
    const [columns, count] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [1, 0]);
    const further = records.flatMap((cells) => cells.slice(1));
    const spaced = further.filter((cell) => cell.startsWith(" ")).length / further.length;
    return { delimiter, records: records.length, share: columns === 1 ? 0 : count / records.length, spaced };
  });
  return shapes.toSorted((a, b) => b.share - a.share);
}

/** The delimiter that gives most records the same number of columns. Empty: the text has a single column. */
export function delimiterOf(text: string): string {
  const best = shapesOf(text).find(
    ({ records, share, spaced }) => records === 0 || share === 1 || (share >= 0.4 && spaced < 0.9),
  );
  return best?.delimiter ?? "";
}

/** Whether a text of an unknown type is clearly a table: all its records have the same number of columns. */
export function isTable(text: string): boolean {
  return shapesOf(text).some(
    ({ delimiter, share, records, spaced }) => delimiter !== "|" && share === 1 && records > 1 && spaced < 0.1,
  );
}
