// Rows that stand above one another with their cells in common columns.
import { UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { textOf } from "./pdf-line.ts";
import type { Line } from "./pdf-pages.ts";
import { isOtherRow, type Segment } from "./pdf-segments.ts";

export interface Span {
  x: number;
  right: number;
}

interface Cell extends Span {
  segments: Segment[];
}

/** One baseline, or several that belong together. */
export interface Row {
  band: Segment[][];
  /** From left to right. */
  cells: Cell[];
  top: number;
  bottom: number;
  size: number;
}

/** Joins the spans that stand above one another. Undefined if two of them cannot be joined. */
function stacked<T extends Span>(spans: readonly T[], join: (one: T, other: T) => boolean): T[] | undefined {
  const result: T[] = [];
  for (const span of spans.toSorted((one, other) => one.x - other.x)) {
    const last = result.at(-1);
    if (!last || span.x >= last.right) result.push({ ...span });
    else if (!join(last, span)) return undefined;
    else last.right = Math.max(last.right, span.right);
  }
  return result;
}

export function rowOf(band: Segment[][]): Row {
  const segments = band.flat();
  const spans = segments.map((each) => ({ x: each.x, right: each.right, segments: [each] }));
  const cells = stacked(spans, (cell, other) => cell.segments.push(...other.segments) > 0) ?? [];
  if (cells.length > limits.columns) throw new UnreadableFile("tooLarge");
  for (const cell of cells) cell.segments.sort((one, other) => one.baseline - other.baseline);
  const [top = 0, bottom = 0] = [band[0]?.[0]?.y, band.at(-1)?.[0]?.y];
  return { band, cells, top, bottom, size: segments.reduce((most, { size }) => Math.max(most, size), 0) };
}

interface Column extends Span {
  rows: Set<Row>;
}

/** The columns with the cells of one more row. Undefined if two cells of one row would be in one column. */
function withRow(columns: readonly Column[], row: Row): Column[] | undefined {
  const cells = row.cells.map(({ x, right }) => ({ x, right, rows: new Set([row]) }));
  return stacked([...columns, ...cells], (column, { rows }) => {
    const [few, many] = rows.size < column.rows.size ? [rows, column.rows] : [column.rows, rows];
    for (const each of few) {
      if (many.has(each)) return false;
      many.add(each);
    }
    column.rows = many;
    return true;
  });
}

export const isWide = ({ cells }: Row) => cells.length > 1;

/** Divides rows into tables. A row that has no other row of several cells beside it is alone. */
export function tablesOf(rows: readonly Row[]): Row[][] {
  const tables: Row[][] = [];
  let columns: Column[] = [];
  for (const row of rows) {
    const last = tables.at(-1)?.at(-1);
    const isNear = last && row.top - last.bottom < Math.max(last.size, row.size) * 4;
    const joined = isNear && columns.length > 1 ? withRow(columns, row) : undefined;
    // A text that stands where no column is does not belong to the table.
    const more = joined && (isWide(row) || joined.length <= columns.length) ? joined : undefined;
    if (more) tables.at(-1)?.push(row);
    else tables.push([row]);
    columns = more ?? withRow([], row) ?? [];
  }
  return tables.flatMap((table) => (table.filter(isWide).length > 1 ? [table] : table.map((row) => [row])));
}

/** Whether a text stands in line with a cell: at its left, at its right or in its middle. */
const isInLine = (text: Span, cell: Span, slack: number) =>
  [text.x - cell.x, text.right - cell.right, text.x + text.right - cell.x - cell.right].some(
    (distance) => Math.abs(distance) < slack,
  );

/** Joins each row that goes on in cells of the row above: it has fewer cells, in line with those, and a smaller gap. */
function withoutWraps(rows: readonly Row[]): Row[] {
  const most = rows.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  const gaps = rows.map(({ top }, at) => top - (rows[at - 1]?.bottom ?? top));
  const full = gaps.filter((_, at) => at > 0 && rows[at]?.cells.length === most);
  const pitch = full.length > 0 ? full.reduce((min, gap) => Math.min(min, gap)) : 0;
  const wholes: Row[][] = [];
  rows.forEach((row, at) => {
    const isClose = (gaps[at] ?? 0) < Math.min(row.size * leading, pitch * 0.9);
    const above = isClose && !isOtherRow(rows[at - 1]?.band[0]?.[0], row.band[0]?.[0]) ? wholes.at(-1) : undefined;
    const cells = above?.[0]?.cells ?? [];
    const goesOn = row.cells.every((text) => cells.some((cell) => isInLine(text, cell, row.size)));
    if (above && row.cells.length < cells.length && goesOn) above.push(row);
    else wholes.push([row]);
  });
  return wholes.flatMap((whole) => (whole.length === 1 ? whole : [rowOf(whole.flatMap(({ band }) => band))]));
}

/** Most font sizes from one line of a text to the next. */
const leading = 1.45;

/** Joins a column that has only its title with the column beside it that has none. */
function underTitles(columns: readonly Column[], first: Row): Column[] {
  const result: Column[] = [];
  for (const column of columns) {
    const last = result.at(-1);
    const isTitle = (one: Column, other: Column) =>
      one.rows.size === 1 && one.rows.has(first) && other.rows.size > 1 && !other.rows.has(first);
    const isPair = last && (isTitle(last, column) || isTitle(column, last)) && column.x - last.right < first.size * 2;
    if (isPair)
      result[result.length - 1] = { x: last.x, right: column.right, rows: new Set([...last.rows, ...column.rows]) };
    else result.push(column);
  }
  return result;
}

/** A line for each row, with the texts of its cells in the columns of the table. */
export function linesOfTable(table: readonly Row[], isLeftward: boolean): Line[] {
  const columns = underTitles(
    table.reduce((some: Column[], row) => withRow(some, row) ?? some, []),
    table[0] as Row,
  );
  return withoutWraps(table).map(({ cells, top, size }) => {
    const texts = columns.map(() => "");
    let at = 0;
    for (const { x, segments } of cells) {
      while (at < columns.length - 1 && (columns[at]?.right ?? x) <= x) at++;
      const text = segments.map(({ pieces }) => textOf(pieces, isLeftward)).join("\n");
      texts[at] = texts[at] ? `${texts[at]}\n${text}` : text;
    }
    if (isLeftward) texts.reverse();
    while (texts.at(-1) === "") texts.pop();
    return { text: texts.join(cells.length === 1 ? "" : " | "), y: top, size };
  });
}
