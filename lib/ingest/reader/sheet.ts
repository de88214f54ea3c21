import { UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import type { Show } from "./formats.ts";
import { type Attributes, isOn, type OfficeFile } from "./office.ts";
import { addBoxes, marginOf, notesOf } from "./sheet-texts.ts";
import type { Table } from "./table.ts";

interface Source {
  file: OfficeFile;
  path: string | undefined;
  name: string;
  strings: readonly string[];
  show: Show;
  table: Table;
}

/** Rows are counted from 1, columns from 0. Both ends are a part of the range. */
interface Range {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

interface Row {
  number: number;
  cells: string[];
  isHidden: boolean;
}

/** Adds the visible rows of a sheet to the table, and says what is hidden. */
export function readSheet(source: Source): void {
  const { name, table } = source;
  const { rows, hiddenColumns, merges, unstored, margins } = partsOf(source);
  for (const header of margins.Header) table.add(marginOf(header));
  const covered = fillMerges(rows, merges, table);
  addNotes(rows, notesOf(source.file, source.path), table);
  const isHidden = (column: number) => hiddenColumns.some(({ left, right }) => left <= column && column <= right);
  const columnsOut = new Set<number>();
  let rowsOut = 0;
  // The order is stable: rows with the same number stay as the file has them.
  for (const row of rows.sort((one, other) => one.number - other.number)) {
    if (row.isHidden) {
      rowsOut++;
      continue;
    }
    for (const [column, text] of row.cells.entries()) if (text !== "" && isHidden(column)) columnsOut.add(column);
    table.add(hiddenColumns.length === 0 ? row.cells : row.cells.filter((_, column) => !isHidden(column)));
  }
  addBoxes(source.file, source.path, name, table);
  for (const footer of margins.Footer) table.add(marginOf(footer));
  table.note(rowsOut, `The sheet ${name} has`, "hidden row");
  table.note(columnsOut.size, `The sheet ${name} has`, "hidden column");
  table.note(covered, `The sheet ${name} has`, "value under merged cells", "values under merged cells");
  table.note(unstored, `The sheet ${name} has`, "formula without a stored result", "formulas without a stored result");
}

/**
 * Copies a value into each cell of its merged range. A row without a text of its own stays empty. Returns how many other
 * values stood in the ranges, where nobody sees them.
 */
function fillMerges(rows: readonly Row[], merges: readonly Range[], table: Table): number {
  let [width, last, covered] = [0, 0, 0];
  for (const { number, cells } of rows) [width, last] = [Math.max(width, cells.length), Math.max(last, number)];
  const byNumber = new Map(rows.map(({ number, cells }) => [number, cells]));
  for (const { top, left, bottom, right } of merges) {
    const text = byNumber.get(top)?.[left] ?? "";
    for (let number = top; number <= Math.min(bottom, last); number++) {
      const end = Math.min(right, width - 1);
      table.count(end - left + 1);
      const cells = byNumber.get(number);
      for (let column = left; cells && column <= end; column++) {
        if (cells[column] && cells[column] !== text) covered++;
        put(cells, column, text);
      }
    }
  }
  return covered;
}

/** Puts each note behind the text of its cell. */
function addNotes(rows: Row[], notes: ReadonlyMap<string, string>, table: Table): void {
  if (notes.size === 0) return;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  for (const [name, note] of notes) {
    const [number, column] = [rowOf(name), columnOf(name)];
    if (column === undefined || Number.isNaN(number)) continue;
    if (column >= limits.columns) throw new UnreadableFile("tooLarge");
    const row = byNumber.get(number) ?? { number, cells: [], isHidden: false };
    if (!byNumber.has(number)) rows.push(row);
    byNumber.set(number, row);
    table.count(Math.max(1, column - row.cells.length));
    put(row.cells, column, `${row.cells[column] ?? ""} [${note}]`);
  }
}

function put(cells: string[], column: number, text: string): void {
  while (cells.length < column) cells.push("");
  cells[column] = text;
}

function partsOf({ file, path, strings, show, table }: Source) {
  const rows: Row[] = [];
  const hiddenColumns: Pick<Range, "left" | "right">[] = [];
  const merges: Range[] = [];
  /** The first page and even pages can have others, and most of them are the same. */
  const margins = { Header: new Set<string>(), Footer: new Set<string>() };
  let unstored = 0;
  let [number, column, isHidden] = [0, 0, false];
  let cells: string[] = [];
  let cell: Attributes = {};
  /** Undefined: the cell has no stored value. */
  let value: string | undefined;

  function open(element: string, attributes: Attributes): void {
    if (element === "c") {
      cell = attributes;
      column = columnOf(attributes.r) ?? column + 1;
      value = undefined;
    } else if (element === "row") {
      number = Number(attributes.r) || number + 1;
      isHidden = isOn(attributes.hidden);
      [cells, column] = [[], -1];
    } else if (element === "col" && isOn(attributes.hidden))
      hiddenColumns.push({ left: Number(attributes.min) - 1, right: Number(attributes.max) - 1 });
    else if (element === "mergeCell") {
      const [from = "", to = from] = attributes.ref?.split(":") ?? [];
      const [left = 0, right = -1] = [columnOf(from), columnOf(to)];
      merges.push({ top: rowOf(from), left, bottom: rowOf(to), right });
    }
  }

  function close(element: string, text: string): void {
    if (element === "v" || element === "t") value = (value ?? "") + text;
    else if (element === "f") cell.formula = "";
    else if (element.endsWith("Header") || element.endsWith("Footer"))
      margins[element.slice(-6) as keyof typeof margins].add(text);
    else if (element === "row" && cells.length > 0) {
      table.count(cells.length);
      rows.push({ number, cells, isHidden });
    } else if (element === "c") {
      if (cell.formula === "" && !value && cell.t !== "str") unstored++;
      const shown = value === undefined ? "" : textOf(cell, value, strings, show);
      if (column >= limits.columns && shown !== "") throw new UnreadableFile("tooLarge");
      if (shown.length > limits.lineCharacters) throw new UnreadableFile("tooLarge");
      if (shown !== "") put(cells, column, shown);
    }
  }

  file.read(path, { open, close });
  return { rows, hiddenColumns, merges, unstored, margins };
}

/** The text that a cell shows. */
function textOf({ t: type, s: style }: Attributes, value: string, strings: readonly string[], show: Show): string {
  if (type === "b") return isOn(value) ? "TRUE" : "FALSE";
  if (type === "e") return value;
  const shown = (as: number | string | Date) => show(Number(style), as, value);
  if (type === "s") return shown(strings[Number(value)] ?? "");
  if (type === "d") return shown(new Date(value.includes("T") && /\d$/.test(value) ? `${value}Z` : value));
  const isText = type === "str" || type === "inlineStr" || value === "" || Number.isNaN(Number(value));
  return shown(isText ? unescaped(value) : Number(value));
}

/** Characters that XML cannot have are stored as _x000B_. */
export const unescaped = (text: string) =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The column of a cell's name: 27 for AB12. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(name ?? "")?.[0];
  return letters ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1 : undefined;
}

const rowOf = (name: string) => Number(/(?<!\d)\d+$/.exec(name)?.[0]);
