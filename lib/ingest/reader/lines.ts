import type { Content } from "../file-content.ts";

export function linesOf(text: string): Content {
  const content: Content = { lines: [], marks: [], notes: [] };
  for (const each of text.split(/\r\n|[\n\v\f\r\x85\u2028\u2029]/)) {
    const line = each.trimEnd();
    if (line !== "") content.lines.push(line);
    else if (content.lines.length > 0) content.marks.push({ before: content.lines.length, text: "" });
  }
  return content;
}
