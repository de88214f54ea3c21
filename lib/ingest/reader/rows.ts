// Turns rows of cells into lines. The first row of a table is a header if it looks like one.
import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";

const separator = " | ";
/** A column name is short. It is neither a sentence nor a number. */
const isName = (cell: string) => cell.length <= 40 && !/[.!?;:]$|^\d+([.,]\d+)?$/.test(cell);
/** In a table with a single column, the first row is a header only if it is one of these names. */
const usualName =
  /^(?:(?:qa|test|review|check)[ -]?)?(?:tasks?|to-?dos?|titles?|names?|descriptions?|items?|checks?|checklist|questions?|instructions?|requirements?|steps?|text|notes?|comments?|rules?)(?: (?:list|name|description|text))?$/i;

/** Collects rows within the limits. The non-empty cells of a row become one line. */
export class Table {
  readonly content: Content = { lines: [], titles: [] };
  #characters = 0;
  #cells = 0;
  #rows = 0;

  /** Begins another sheet. */
  begin(title?: string): void {
    if (title !== undefined) this.#push(title, true);
    this.#rows = 0;
  }

  add(cells: readonly string[]): void {
    this.#cells += cells.length;
    if (this.#cells > limits.cells || cells.length > limits.columns) throw new UnreadableFile("tooLarge");
    const full = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
    if (full.length === 0) return;
    if (full.some((cell) => cell.length > limits.lineCharacters)) throw new UnreadableFile("tooLarge");
    this.#rows += 1;
    this.#push(full.join(separator), this.#rows === 1 && isHeader(full));
  }

  /** Ends a sheet. A sheet's only row is not a header. */
  end(): void {
    const { lines, titles } = this.content;
    if (this.#rows === 1 && titles.at(-1) === lines.length - 1) titles.pop();
  }

  #push(line: string, isTitle: boolean): void {
    this.#characters += line.length;
    if (this.#characters > limits.characters) throw new UnreadableFile("tooLarge");
    if (isTitle) this.content.titles.push(this.content.lines.length);
    this.content.lines.push(line);
  }
}

function isHeader(cells: readonly string[]): boolean {
  if (cells.length === 1) return usualName.test(cells[0] as string);
  return cells.every(isName) && new Set(cells).size === cells.length;
}
