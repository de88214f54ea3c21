// Rows of cells as lines. The first row of a table names its columns where it looks like it.
import { type Content, UnreadableFile } from "../content.ts";
import { limits } from "../limits.ts";

const separator = " | ";
/** Names of columns are short, and no sentences. */
const isName = (cell: string) => cell.length <= 40 && !/[.!?;:]$|^\d+([.,]\d+)?$/.test(cell);
/** A lone column's first row is its name only where it is one of the usual. */
const usual =
  /^(?:(?:qa|test|review|check)[ -]?)?(?:tasks?|to-?dos?|titles?|names?|descriptions?|items?|checks?|checklist|questions?|instructions?|requirements?|steps?|text|notes?|comments?|rules?)(?: (?:list|name|description|text))?$/i;

/** Collects rows within the limits; the cells that say something make a line. */
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

  /** A first row that nothing follows names nothing. */
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
  if (cells.length === 1) return usual.test(cells[0] as string);
  return cells.every(isName) && new Set(cells).size === cells.length;
}
