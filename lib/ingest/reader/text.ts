import type { Content } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { decode } from "./decode.ts";

const lineEnd = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/** Reads the lines of plain text or Markdown as they stand. Blank lines are marks. */
export function readText(bytes: Buffer): Content {
  const content: Content = { lines: [], marks: [], notes: [] };
  let isBlank = false;
  for (const each of decode(bytes).split(lineEnd)) {
    const parts = partsOf(
      each
        .replaceAll("\t", "    ")
        .replace(/\p{Cc}+/gu, "")
        .trimEnd(),
    );
    const before = content.lines.length;
    if (isBlank && before > 0 && parts.length > 0) content.marks.push({ before, text: "" });
    isBlank = parts.length === 0;
    for (const part of parts) content.lines.push(part);
  }
  return content;
}

/** Cuts a line that is too long, between words where it can. */
export function partsOf(line: string): string[] {
  const parts: string[] = [];
  let rest = line.toWellFormed();
  while (rest.length > limits.lineCharacters) {
    const space = rest.lastIndexOf(" ", limits.lineCharacters);
    const isPair = /[\ud800-\udbff]/.test(rest[limits.lineCharacters - 1] ?? "");
    const end = space > 0 ? space : limits.lineCharacters - (isPair ? 1 : 0);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest].filter((part) => part !== "");
}
