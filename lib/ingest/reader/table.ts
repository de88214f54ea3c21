import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";

/** Parts of a long line, cut between words where that is possible, and never within a character. */
const pieces = new RegExp(
  `.{1,${limits.lineCharacters}}(?!\\S)|.{1,${limits.lineCharacters}}(?![\\udc00-\\udfff])`,
  "g",
);

/** Collects lines, and the marks between them, within the limits. */
export class Table {
  readonly content: Content = { lines: [], marks: [], notes: [] };
  #characters = 0;
  #cells = 0;
  #isBlank = false;

  /** Adds a row of counted cells, unless it has no text. */
  add(cells: readonly string[]): void {
    const texts = cells.map((cell) => plain(cell).trim());
    while (texts.at(-1) === "") texts.pop();
    const isLong = texts.some((text) => text.length > limits.lineCharacters);
    if (isLong || texts.length > limits.columns) throw new UnreadableFile("tooLarge");
    this.#push(texts.join(" | "));
  }

  /** Adds a line or a paragraph. Empty texts between two others become one mark. */
  addText(text: string): void {
    const line = plain(text).trimEnd();
    if (line === "") this.#isBlank = true;
    else {
      this.count(1);
      this.#push(line);
    }
  }

  #push(line: string): void {
    const { lines } = this.content;
    if (this.#isBlank && lines.length > 0) this.mark("");
    this.#isBlank = false;
    this.#characters += line.length;
    if (this.#characters > limits.characters) throw new UnreadableFile("tooLarge");
    line.match(pieces)?.forEach((piece, at) => {
      const part = at === 0 ? piece.trimEnd() : piece.trim();
      if (part !== "") lines.push(part);
    });
  }

  /** Counts cells as soon as they take memory. */
  count(cells: number): void {
    this.#cells += cells;
    if (this.#cells > limits.cells) throw new UnreadableFile("tooLarge");
  }

  /** Adds a mark before the next line. */
  mark(text: string): void {
    this.content.marks.push({ before: this.content.lines.length, text: plain(text).trim() });
  }

  noteCharts(count: number, subject: string): void {
    this.note(count, `${subject} has`, "chart or diagram", "charts or diagrams");
  }

  /** Says how many are left out, if any. */
  note(count: number, subject: string, one: string, several = `${one}s`): void {
    if (count > 0) this.content.notes.push(plain(`${subject} ${count} ${count === 1 ? one : several}.`));
  }
}

/** Characters for private use on which fonts of symbols agree, such as Wingdings. */
const agreed: Record<string, string> = {
  ...{ "\uf0b7": "•", "\uf0a7": "▪", "\uf0a8": "☐", "\uf06f": "☐", "\uf0e0": "→" },
  ...{ "\uf0fb": "✗", "\uf0fc": "✓", "\uf0fd": "☒", "\uf0fe": "☑" },
};

/** The text on one line, without characters that nobody sees. */
const plain = (text: string) =>
  text
    .replace(/[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\p{Cc}+/gu, "")
    .replace(/[\uf06f-\uf0fe]/g, (character) => agreed[character] ?? character)
    .toWellFormed();
