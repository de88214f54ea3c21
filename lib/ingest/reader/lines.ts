// Splits text into lines. A line is a bullet, a row or a line of the text, with the lines that continue it
// (DECISIONS.md#tasks-in-a-text).
import { type Content, UnreadableFile } from "../content.ts";
import { limits } from "../limits.ts";
import { Block } from "./block.ts";
import { type MarkedLine, marked } from "./marks.ts";
import { joined } from "./wrapping.ts";

const lineEnd = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
const underline = /^(?:=+|-+)$/;
/** Of lines without a blank one. More would need much memory, and say nothing more about the wrapping. */
const blockLinesMax = 1_000;

export function linesOf(text: string): Content {
  const content: Content = { lines: [], titles: [] };
  let block: MarkedLine[] = [];
  for (const each of text.split(lineEnd)) {
    const line = marked(each);
    if (line.kind !== "blank") block.push(line);
    if (line.kind === "blank" || block.length === blockLinesMax) {
      add(content, block);
      block = [];
    }
  }
  add(content, block);
  return content;
}

function add({ lines, titles }: Content, all: readonly MarkedLine[]): void {
  const block = new Block(all.filter(({ kind }) => kind !== "rule"));
  const title = titleOf(all);
  block.lines.forEach((line, index) => {
    const whole = block.continues(index) ? joined(lines.at(-1) ?? "", line.text) : "";
    if (whole !== "" && whole.length <= limits.lineCharacters) {
      lines[lines.length - 1] = whole;
      return;
    }
    if (line.text.length > limits.lineCharacters) throw new UnreadableFile("tooLarge");
    if (line.kind === "heading" || line === title) titles.push(lines.length);
    lines.push(line.text);
  });
}

/** The first line of a block, if it is underlined or the header row of a table. */
function titleOf([first, second]: readonly MarkedLine[]): MarkedLine | undefined {
  if (second?.kind !== "rule") return undefined;
  return (first?.kind === "row" ? second.text.includes("|") : underline.test(second.text)) ? first : undefined;
}
