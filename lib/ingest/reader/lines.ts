// Splits text into lines. A line is a bullet with its continuation, a wrapped paragraph, or a single line.
import { type Content, UnreadableFile } from "../content.ts";
import { limits } from "../limits.ts";

const bullet = /^\s*(?:[-*+•◦▪–—]|\(?\d{1,4}[.)]|\(?[a-z][.)]|\[[ xX]?\])\s+(?:\[[ xX]?\]\s+)?(?=\S)/;
const heading = /^#{1,6}\s+|^(?:=+|-{3,}|\*{3,}|_{3,})$/;
/** Of the lines of a wrapped paragraph: shortest and longest length in characters, and the largest difference. */
const wrapped = { min: 50, max: 140, spread: 20 };

export function linesOf(text: string): Content {
  const content: Content = { lines: [], titles: [] };
  for (const block of text.split(/(?:\r\n?|\n|\f)[^\S\r\n]*(?:\r\n?|\n|\f)\s*/)) {
    const lines = block
      .split(/\r\n?|\n|\f/)
      .map((line) => line.trimEnd())
      .filter((line) => line.trim() !== "");
    for (const line of joined(lines)) push(content, line);
  }
  return content;
}

function joined(lines: string[]): string[] {
  if (lines.some((line) => bullet.test(line) || heading.test(line))) return items(lines);
  return isWrapped(lines) ? [lines.map((line) => line.trim()).join(" ")] : lines;
}

/** Wrapped lines have similar lengths, and less than half of them end a sentence. */
function isWrapped(lines: string[]): boolean {
  const full = lines.slice(0, -1);
  const longest = full.reduce((max, { length }) => Math.max(max, length), 0);
  const shortest = full.reduce((min, { length }) => Math.min(min, length), longest);
  const sentences = full.filter((line) => /[.!?;:]$/.test(line)).length;
  const areAlike = shortest >= wrapped.min && longest <= wrapped.max && longest - shortest <= wrapped.spread;
  return full.length > 0 && areAlike && sentences * 2 < full.length;
}

/** Joins each line with the indented lines under it. */
function items(lines: string[]): string[] {
  const result: string[] = [];
  for (const line of lines) {
    const continues = result.length > 0 && /^\s{2,}\S/.test(line) && !bullet.test(line) && !heading.test(line);
    if (continues) result[result.length - 1] += ` ${line.trim()}`;
    else result.push(line);
  }
  return result;
}

function push({ lines, titles }: Content, line: string): void {
  const isTitle = heading.test(line);
  const text = line.replace(heading, "").replace(bullet, "").trim();
  if (text === "") return;
  if (text.length > limits.lineCharacters) throw new UnreadableFile("tooLarge");
  if (isTitle) titles.push(lines.length);
  lines.push(text);
}
