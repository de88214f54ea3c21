import { UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import type { Show } from "./formats.ts";
import { type Attributes, isOn, type OfficeFile } from "./office.ts";
import type { Table } from "./table.ts";

interface Source {
  file: OfficeFile;
  path: string;
  name: string;
  strings: readonly string[];
  show: Show;
  table: Table;
}

interface Row {
  cells: string[];
  isHidden: boolean;
}

/** Rows are counted from 1, columns from 0. Both ends are a part of the range. */
interface Range {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Adds the visible rows of a sheet to the table, and says what is hidden. */
export function readSheet(source: Source): void {
  const { name, table } = source;
  const { rows, merges, hidden, unstored } = partsOf(source);
  const numbers = [...rows.keys()].toSorted((a, b) => a - b);
  fillMerges(rows, merges, numbers.at(-1) ?? 0, table);
  const isHidden = (column: number) => hidden.some(({ left, right }) => left <= column && column <= right);
  const columnsOut = new Set<number>();
  let rowsOut = 0;
  for (const number of numbers) {
    const { cells, isHidden: isRowHidden } = rows.get(number) as Row;
    if (isRowHidden) rowsOut++;
    else if (hidden.length === 0) table.add(cells);
    else {
      for (const [column, text] of cells.entries()) if (text !== "" && isHidden(column)) columnsOut.add(column);
      table.add(cells.filter((_, column) => !isHidden(column)));
    }
  }
  table.note(rowsOut, (counted) => `The sheet ${name} has ${counted("hidden row")}.`);
  table.note(columnsOut.size, (counted) => `The sheet ${name} has ${counted("hidden column")}.`);
  table.note(unstored, (counted) => `The sheet ${name} has ${counted("formula")} without a stored result.`);
}

/** Copies a value into each cell of its merged range. A row without a text of its own stays empty. */
function fillMerges(rows: Map<number, Row>, merges: readonly Range[], last: number, table: Table): void {
  let width = 0;
  for (const { cells } of rows.values()) width = Math.max(width, cells.length);
  for (const { top, left, bottom, right } of merges) {
    const text = rows.get(top)?.cells[left];
    if (!text) continue;
    for (let number = top; number <= Math.min(bottom, last); number++) {
      table.count(Math.min(right, width) - left + 1);
      const cells = rows.get(number)?.cells;
      for (let column = left; cells && column <= right && column < width; column++) {
        while (cells.length < column) cells.push("");
        cells[column] = text;
      }
    }
  }
}

function partsOf({ file, path, strings, show, table }: Source) {
  const rows = new Map<number, Row>();
  const merges: Range[] = [];
  const hidden: Pick<Range, "left" | "right">[] = [];
  let unstored = 0;
  let [number, column] = [0, 0];
  let row: Row = { cells: [], isHidden: false };
  let cell: Attributes = {};
  let [value, isText, isPronunciation] = ["", false, false];
  let [hasFormula, hasValue] = [false, false];

  function open(element: string, attributes: Attributes): void {
    isText = false;
    if (element === "c") {
      cell = attributes;
      column = columnOf(attributes.r) ?? column + 1;
      [value, hasFormula, hasValue] = ["", false, false];
    } else if (element === "v" || element === "t") {
      isText = !isPronunciation;
      hasValue = true;
    } else if (element === "f") hasFormula = true;
    else if (element === "rPh") isPronunciation = true;
    else if (element === "row") {
      number = Number(attributes.r) || number + 1;
      column = -1;
      row = { cells: [], isHidden: isOn(attributes.hidden) };
    } else if (element === "col" && isOn(attributes.hidden))
      hidden.push({ left: Number(attributes.min) - 1, right: Number(attributes.max) - 1 });
    else if (element === "mergeCell") {
      const [from = "", to = from] = attributes.ref?.split(":") ?? [];
      const [left, right] = [columnOf(from) ?? 0, columnOf(to) ?? -1];
      merges.push({ top: rowOf(from), left, bottom: rowOf(to), right });
    }
  }

  function close(element: string): void {
    isText = false;
    if (element === "rPh") isPronunciation = false;
    else if (element === "row" && row.cells.length > 0) {
      table.count(row.cells.length);
      rows.set(number, row);
    } else if (element === "c") {
      if (hasFormula && !hasValue) unstored++;
      const text = hasValue ? textOf(cell, value, strings, show) : "";
      if (text === "") return;
      if (column >= limits.columns || text.length > limits.lineCharacters) throw new UnreadableFile("tooLarge");
      while (row.cells.length < column) row.cells.push("");
      row.cells[column] = text;
    }
  }

  file.read(path, {
    open,
    close,
    text: (text) => {
      if (isText) value += text;
    },
  });
  return { rows, merges, hidden, unstored };
}

/** The text that a cell shows. */
function textOf({ t: type, s: style }: Attributes, value: string, strings: readonly string[], show: Show): string {
  if (type === "b") return value === "1" || value === "true" ? "TRUE" : "FALSE";
  if (type === "e") return value;
  if (type === "d") return show(Number(style), new Date(/T.*\d$/.test(value) ? `${value}Z` : value));
  if (type === "s") return show(Number(style), strings[Number(value)] ?? "");
  const number = Number(value);
  if (type === "str" || type === "inlineStr" || value === "" || Number.isNaN(number))
    return show(Number(style), unescaped(value));
  return show(Number(style), number);
}

/** Characters that XML cannot have are stored as _x000B_. */
export const unescaped = (text: string) =>
  text.includes("_x")
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** The column of a cell's name, such as 27 of AB12. */
function columnOf(name: string | undefined): number | undefined {
  const letters = /^\$?([a-z]{1,3})/i.exec(name ?? "")?.[1]?.toUpperCase();
  return letters === undefined
    ? undefined
    : [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

const rowOf = (name: string) => Number(/\d+$/.exec(name)?.[0]);
