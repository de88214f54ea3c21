// The lines between two blank lines: which of them continue the line above, by their marks, indents and wrapping.
import type { MarkedLine } from "./marks.ts";
import { startsLower, Wrapping } from "./wrapping.ts";

/** Columns by which a line is indented when it continues the line above. */
const indentMin = 2;

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
