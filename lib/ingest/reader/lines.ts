// Text as lines: a bullet with what continues it, a paragraph of running text, else a line.
import { type Content, UnreadableFile } from "../content.ts";
import { limits } from "../limits.ts";

const bullet = /^\s*(?:[-*+•◦▪–—]|\(?\d{1,4}[.)]|\(?[a-z][.)]|\[[ xX]?\])\s+(?:\[[ xX]?\]\s+)?(?=\S)/;
const heading = /^#{1,6}\s+|^(?:=+|-{3,}|\*{3,}|_{3,})$/;
/** Lines of at least this length on average are wrapped: together they are a paragraph. */
const wrappedCharacters = 60;

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
  const longest = lines.slice(0, -1);
  const average = longest.reduce((sum, line) => sum + line.length, 0) / Math.max(1, longest.length);
  return lines.length > 1 && average >= wrappedCharacters ? [lines.map((line) => line.trim()).join(" ")] : lines;
}

/** Each bullet with the lines under it that are indented. */
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
