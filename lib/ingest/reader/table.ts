import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";

/** Parts of a long line, cut between words where that is possible. */
const pieces = new RegExp(`.{1,${limits.lineCharacters}}(?!\\S)|.{1,${limits.lineCharacters}}`, "gs");

/** Collects lines, and the marks between them, within the limits. */
export class Table {
  readonly content: Content = { lines: [], marks: [], notes: [] };
  #characters = 0;
  #cells = 0;

  /** Adds a row of counted cells, unless it has no text. */
  add(cells: readonly string[]): void {
    const texts = cells.map(plain);
    while (texts.at(-1) === "") texts.pop();
    const isLong = texts.some((text) => text.length > limits.lineCharacters);
    if (isLong || texts.length > limits.columns) throw new UnreadableFile("tooLarge");
    this.#push(texts.join(" | "));
  }

  /** Adds a paragraph. Empty ones become a mark. */
  addText(text: string): void {
    const { lines, marks } = this.content;
    if (plain(text) !== "") this.#push(plain(text));
    else if (lines.length > 0 && marks.at(-1)?.before !== lines.length) this.mark("");
  }

  #push(line: string): void {
    this.#characters += line.length;
    if (this.#characters > limits.characters) throw new UnreadableFile("tooLarge");
    this.content.lines.push(...(line.match(pieces) ?? []));
  }

  /** Counts cells as soon as they take memory. */
  count(cells: number): void {
    this.#cells += cells;
    if (this.#cells > limits.cells) throw new UnreadableFile("tooLarge");
  }

  /** Adds a mark before the next line. */
  mark(text: string): void {
    this.content.marks.push({ before: this.content.lines.length, text: plain(text) });
  }

  /** Says how many are left out, if any. */
  note(count: number, subject: string, one: string, several = `${one}s`): void {
    if (count > 0) this.content.notes.push(plain(`${subject} ${count} ${count === 1 ? one : several}.`));
  }
}

/** The text on one line. */
const plain = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .toWellFormed();
