import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";

/** Collects rows of cells, and the marks between them, within the limits. */
export class Table {
  readonly content: Content = { lines: [], marks: [], notes: [] };
  #characters = 0;
  #cells = 0;

  /** Adds a row, unless it has no text. */
  add(cells: readonly string[]): void {
    this.count(cells.length);
    if (cells.length > limits.columns) throw new UnreadableFile("tooLarge");
    const texts = cells.map(plain);
    if (texts.some((text) => text.length > limits.lineCharacters)) throw new UnreadableFile("tooLarge");
    while (texts.at(-1) === "") texts.pop();
    const line = texts.join(" | ");
    this.#characters += line.length;
    if (this.#characters > limits.characters) throw new UnreadableFile("tooLarge");
    for (let at = 0; at < line.length; at += limits.lineCharacters)
      this.content.lines.push(line.slice(at, at + limits.lineCharacters));
  }

  /** Counts cells that are not in a row yet. */
  count(cells: number): void {
    this.#cells += cells;
    if (this.#cells > limits.cells) throw new UnreadableFile("tooLarge");
  }

  /** Adds a mark before the next row. */
  mark(text: string): void {
    this.content.marks.push({ before: this.content.lines.length, text: plain(text) });
  }

  /** Adds a blank line. Several become one. */
  blank(): void {
    const { lines, marks } = this.content;
    if (lines.length > 0 && marks.at(-1)?.before !== lines.length) this.mark("");
  }

  /** Says what is left out, if it is anything. */
  note(count: number, text: (counted: (noun: string) => string) => string): void {
    if (count > 0) this.content.notes.push(plain(text((noun) => `${count} ${noun}${count === 1 ? "" : "s"}`)));
  }
}

/** The text on one line. */
const plain = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .toWellFormed();
