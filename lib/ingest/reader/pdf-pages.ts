// The lines of all pages together: headers, footers and divided words show only there.

/** A line of a page. A line break in it shows where a cell was wrapped. */
export interface Line {
  text: string;
  y: number;
  size: number;
}

export interface Page {
  lines: Line[];
  height: number;
}

/** The texts of each page. Headers and footers are on their first page only. */
export function textsOf(pages: readonly Page[]): string[][] {
  return withoutRepeats(pages).map((page) => {
    const lines: string[] = [];
    for (const text of page) {
      const [first = "", ...more] = text.split("\n");
      const whole = more.reduce(wholeOf, first);
      const [above, rest] = mended(lines.pop() ?? "", whole);
      lines.push(above, rest);
    }
    return lines.filter((line) => line.trim() !== "");
  });
}

/** The share of a page in which headers and footers stand, at its top and at its bottom. */
const margin = 0.15;

function withoutRepeats(pages: readonly Page[]): string[][] {
  const seen = new Map<string, { page: number; numbers: readonly string[] }>();
  return pages.map(({ lines, height }, page) => {
    const usual = lines.map(({ size }) => size).sort((one, other) => one - other)[lines.length >> 1] ?? 0;
    const isNew = lines.map(({ text, y, size }) => {
      if (y > height * margin && y < height * (1 - margin)) return true;
      const key = `${Math.round(y)} ${text.replace(/\d+/g, "#")}`;
      const [numbers, last] = [text.match(/\d+/g) ?? [], seen.get(key)];
      seen.set(key, { page, numbers });
      if (!last) return true;
      // The number of a page grows with the pages, but in the heading of a page it is a part of the text.
      const isHeading = size > usual * 1.1 && y < height / 2;
      const growth = isHeading ? 0 : page - last.page;
      return !numbers.every((number, at) => [0, growth].includes(Number(number) - Number(last.numbers[at])));
    });
    // A page without anything new is no header.
    const kept = isNew.includes(true) ? lines.filter((_, at) => isNew[at]) : lines;
    return kept.map(({ text }) => text);
  });
}

/** Most characters of a word before its hyphen. */
const wordMax = 50;

/** Moves the rest of a word up that is divided at the end of a line. The hyphen stays if the word has a further one. */
function mended(above: string, below: string): [above: string, below: string] {
  const start = /(?<![\p{L}-])[\p{L}-]*\p{L}(?=[-‐]$)/u.exec(above.slice(-wordMax))?.[0];
  const rest = /^\p{Ll}\S*/u.exec(below)?.[0];
  if (!start || !rest) return [above, below];
  return [above.slice(0, -1) + (start.includes("-") ? "-" : "") + rest, below.slice(rest.length).trimStart()];
}

/** A text that goes on in the next line of its cell. */
function wholeOf(above: string, below: string): string {
  if (/[\p{L}\p{N}][-‐]$/u.test(above.slice(-2)) && /^[\p{Lu}\p{N}]/u.test(below)) return above + below;
  return mended(above, below).join(" ").trimEnd();
}
