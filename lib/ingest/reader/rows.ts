// Turns rows of cells into lines.
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";

const separator = " | ";

/** Collects rows within the limits. The cells of a row become one line. */
export class Table {
  readonly content: Content = { lines: [], marks: [], notes: [] };
  #characters = 0;
  #cells = 0;

  /** Begins another sheet. */
  begin(title?: string): void {
    if (title !== undefined) this.content.marks.push({ before: this.content.lines.length, text: title });
  }

  add(cells: readonly string[]): void {
    this.#cells += cells.length;
    if (this.#cells > limits.cells || cells.length > limits.columns) throw new UnreadableFile("tooLarge");
    const shown = cells.map((cell) => cell.trim());
    while (shown.at(-1) === "") shown.pop();
    if (shown.length === 0) return;
    if (shown.some((cell) => cell.length > limits.lineCharacters)) throw new UnreadableFile("tooLarge");
    const line = shown.join(separator);
    this.#characters += line.length;
    if (this.#characters > limits.characters) throw new UnreadableFile("tooLarge");
    this.content.lines.push(line);
  }

  end(): void {}
}
