// Splits text into lines. A line is a bullet, a row or a line of the text, with the lines below that continue it. A line
// continues the one above if it is indented, if it follows a hyphenated word, or if an editor wrapped the paragraph there.
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { type MarkedLine, marked } from "./line-marks.ts";
import { joined, startsLower, Wrapping } from "./wrapping.ts";

const lineEnd = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
const underline = /^(?:=+|-+)$/;
/** Most lines of a block without blank lines. More would need much memory, and say nothing more about the wrapping. */
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

/** Columns by which a line is indented when it continues the line above. */
const indentMin = 2;

/** The lines between two blank lines: which of them continue the line above, by their marks, indents and wrapping. */
export class Block {
  readonly lines: readonly MarkedLine[];
  readonly #wrapping: Wrapping;
  readonly #margin: number;
  readonly #hasItems: boolean;
  /** Indents at which two lines that follow one another begin like sentences: points without bullets. */
  readonly #outlineIndents: ReadonlySet<number>;

  constructor(lines: readonly MarkedLine[]) {
    this.#wrapping = new Wrapping(lines.map(({ raw, text, whole = text }) => ({ raw, text: whole })));
    this.#margin = lines.reduce((least, { indent }) => Math.min(least, indent), Number.POSITIVE_INFINITY);
    let hasItems = false;
    // "2024. The next year" at the beginning of a wrapped line is no item.
    this.lines = lines.map((line, index) => {
      if (line.whole && !hasItems && this.#wrapping.continues(index))
        return { ...line, kind: "plain", text: line.whole };
      hasItems ||= line.kind === "item";
      return line;
    });
    this.#hasItems = hasItems;
    const begins = this.lines.map(({ text }) => !startsLower(text));
    this.#outlineIndents = new Set(
      lines.flatMap(({ indent }, at) =>
        begins[at] && begins[at - 1] && lines[at - 1]?.indent === indent ? indent : [],
      ),
    );
  }

  continues(index: number): boolean {
    const [above, line] = [this.lines[index - 1], this.lines[index]];
    if (line?.kind !== "plain" || (above?.kind !== "plain" && above?.kind !== "item")) return false;
    if (!this.#isIndented(line)) return this.#wrapping.continues(index);
    // In a block whose first line is indented, an indent begins a paragraph. A colon begins a list.
    const isBeginning = this.lines[0]?.kind === "plain" && this.#isIndented(this.lines[0]);
    return !isBeginning && !(above.kind === "plain" && above.text.endsWith(":")) && !this.#isOutlined(index);
  }

  #isIndented({ indent }: MarkedLine): boolean {
    return indent - this.#margin >= indentMin;
  }

  /** A point of an outline, under a short line. */
  #isOutlined(index: number): boolean {
    const { indent = 0, text = "" } = this.lines[index] ?? {};
    if (this.#hasItems || startsLower(text) || this.#wrapping.isNearlyFull(index - 1)) return false;
    return this.#outlineIndents.has(indent);
  }
}
