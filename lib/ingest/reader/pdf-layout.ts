// The lines of a page, from the positions of its pieces. Text in columns is read column by column, a table row by row.
// A page is drawn in an order that shows what belongs together: a cell of a table, or a column, is drawn as a whole.
import { readsLeftward } from "./pdf-line.ts";
import type { Line } from "./pdf-pages.ts";
import type { Piece } from "./pdf-pieces.ts";
import { isOtherRow, type Segment, segmentsOf } from "./pdf-segments.ts";
import { isWide, linesOfTable, type Row, rowOf, type Span, tablesOf } from "./pdf-table.ts";

export function linesOf(pieces: readonly Piece[]): Line[] {
  const isLeftward = readsLeftward(pieces.map(({ text }) => text).join(""));
  return layout(segmentsOf(pieces), isLeftward, 0);
}

const depthMax = 6;
/** Most lines of a row that has no other row beside it. */
const aloneMax = 3;

const linesIn = (rows: readonly Row[]) =>
  rows.flatMap((row) => (row.band.length === 1 ? [row] : row.band.map((baseline) => rowOf([baseline]))));

function layout(baselines: Segment[][], isLeftward: boolean, depth: number): Line[] {
  const rows = bandsOf(baselines).flatMap((band) => {
    const row = asDrawn(rowOf(band));
    return isWide(row) && depth < depthMax ? [row] : linesIn([row]);
  });
  return tablesOf(rows).flatMap((table) => {
    const lines = linesIn(table);
    const { cells } = table.length === 1 ? (table[0] as Row) : rowOf(table.flatMap(({ band }) => band));
    if (!haveCommonRows(cells) && isColumns(table, lines)) {
      return (isLeftward ? cells.toReversed() : cells).flatMap(({ segments }) => {
        return layout([...Map.groupBy(segments, ({ baseline }) => baseline).values()], isLeftward, depth + 1);
      });
    }
    const tables = table.length > 1 ? [table] : tablesOf(lines);
    return tables.flatMap((each) => linesOfTable(each, isLeftward));
  });
}

/**
 * Joins cells that were not drawn one after the other: a column of text can have a table in it. No cells are left if a
 * column would be short: a text that stands alone can be drawn first.
 */
function asDrawn(row: Row): Row {
  const drawn = row.cells.flatMap(({ segments }, cell) => segments.map(({ order }) => ({ cell, order })));
  const ordered = drawn.filter(({ order }) => order !== undefined).sort(byOrder);
  const runs = ordered.filter(({ cell }, at) => cell !== ordered[at - 1]?.cell).map(({ cell }) => cell);
  if (runs.length <= row.cells.length) return row;
  const cells: Row["cells"] = [];
  row.cells.forEach((cell, at) => {
    const last = cells.at(-1);
    const crossings = runs.filter((each, index) => index > 0 && each < at !== (runs[index - 1] as number) < at);
    if (!last || crossings.length === 1) cells.push({ ...cell });
    else Object.assign(last, { right: cell.right, segments: [...last.segments, ...cell.segments] });
  });
  return { ...row, cells: cells.every(({ segments }) => segments.length > aloneMax) ? cells : [] };
}

const byOrder = (one: { order?: number | undefined }, other: { order?: number | undefined }) =>
  (one.order ?? 0) - (other.order ?? 0);

/** Whether the outline of the file has a row in several cells. */
function haveCommonRows(cells: Row["cells"]): boolean {
  const rows = cells.flatMap(({ segments }) => [...new Set(segments.flatMap(({ line }) => line ?? []))]);
  return new Set(rows).size < rows.length;
}

/** Whether a table is columns of text: drawn one after the other, or lines that go on in the next line. */
function isColumns(table: readonly Row[], lines: readonly Row[]): boolean {
  const count = lines.filter(isWide).length;
  const [first] = lines;
  if (lines.length <= aloneMax && (table.length > 1 || !first || isWide(first) || count > 1)) return false;
  const texts = lines.flatMap(({ band }) => band.flat()).map(({ pieces }) => pieces.map(({ text }) => text).join(" "));
  const isShort = texts.join("").length < texts.length * 20;
  const isGrid = isShort && count > lines.length * 0.9;
  if (table.length === 1) return table.some(isWide) && !isGrid;
  if (isShort) return false;
  return rowOf(lines.flatMap(({ band }) => band)).cells.every(({ segments }) => {
    const going = segments.filter(({ pieces }) => /^[\p{Ll}\p{Lo}]/u.test(pieces[0]?.text ?? ""));
    return going.length > segments.length * 0.3;
  });
}

/** A text at its place in the order of drawing, on the baseline with this number. */
interface Drawn extends Span {
  at: number;
}

/** Texts that were drawn one after the other, down the page. */
function runsOf(baselines: readonly Segment[][]): Drawn[][] {
  const drawn = baselines.flatMap((segments, at) => segments.map(({ order, x, right }) => ({ at, order, x, right })));
  const runs: Drawn[][] = [];
  for (const each of drawn.filter(({ order }) => order !== undefined).sort(byOrder)) {
    const last = runs.at(-1);
    if (last && each.at >= (last.at(-1)?.at ?? 0)) last.push(each);
    else runs.push([each]);
  }
  return runs;
}

/**
 * Cuts between two baselines if everything on one side of the cut was drawn before everything on the other. Texts that
 * are drawn before or after those around them do not count, such as footers and boxes.
 */
function bandsOf(baselines: Segment[][]): Segment[][][] {
  const runs = runsOf(baselines);
  // Where the first run ends that begins on this baseline or below it.
  const ends = new Float64Array(baselines.length + 1).fill(baselines.length);
  for (const run of runs) ends[topOf(run)] = Math.min(ends[topOf(run)] as number, bottomOf(run));
  for (let at = baselines.length - 1; at >= 0; at--) ends[at] = Math.min(ends[at] as number, ends[at + 1] as number);
  const changes = new Float64Array(baselines.length);
  const cross = (from: number, to: number) => {
    changes[from] = (changes[from] ?? 0) + 1;
    changes[to] = (changes[to] ?? 0) - 1;
  };
  runs.forEach((run, index) => {
    run.forEach(({ at }, place) => {
      const from = run[place - 1]?.at ?? at;
      if ((ends[from + 1] ?? at) >= at) cross(from, at);
    });
    const before = runs[index - 1]?.filter(({ at }) => at >= topOf(run)) ?? [];
    const end = before.at(-1)?.at ?? topOf(run);
    const after = run.filter(({ at }) => at <= end);
    if (rightOf(before) <= leftOf(after) || rightOf(after) <= leftOf(before)) cross(topOf(run), end);
  });
  const bands: Segment[][][] = [];
  let crossings = 0;
  baselines.forEach((baseline, at) => {
    const [above, here] = [baselines[at - 1]?.[0], baseline[0]];
    // Lines that overlap are in different columns.
    const isOverlap = above && here && here.y - above.y < Math.min(here.size, above.size) * 0.85;
    if (at > 0 && (crossings > 1 || (isOverlap && !isOtherRow(above, here)))) bands.at(-1)?.push(baseline);
    else bands.push([baseline]);
    crossings += changes[at] ?? 0;
  });
  return bands;
}

const topOf = (run: readonly Drawn[]) => run[0]?.at ?? 0;
const bottomOf = (run: readonly Drawn[]) => run.at(-1)?.at ?? 0;
const leftOf = (spans: readonly Span[]) => spans.reduce((min, { x }) => Math.min(min, x), Number.POSITIVE_INFINITY);
const rightOf = (spans: readonly Span[]) =>
  spans.reduce((max, { right }) => Math.max(max, right), Number.NEGATIVE_INFINITY);
