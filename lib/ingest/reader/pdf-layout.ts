// The lines of a page, from the positions of its pieces. Text in columns is read column by column, a table row by row.
// A page is drawn in an order that shows what belongs together: a cell of a table, or a column, is drawn as a whole.
import { readsLeftward } from "./pdf-line.ts";
import type { Line } from "./pdf-pages.ts";
import type { Piece } from "./pdf-pieces.ts";
import { isOtherRow, type Segment, segmentsOf } from "./pdf-segments.ts";
import { isWide, linesOfTable, type Row, rowOf, tablesOf } from "./pdf-table.ts";

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
  const rows = bandsOf(baselines, 0).flatMap((band) => {
    const row = rowOf(band);
    return isWide(row) && isDrawnByCell(row) && depth < depthMax ? [row] : linesIn([row]);
  });
  return tablesOf(rows).flatMap((table) => {
    const lines = linesIn(table);
    if (isColumns(table, lines)) {
      const { cells } = rowOf(table.flatMap(({ band }) => band));
      return (isLeftward ? cells.toReversed() : cells).flatMap(({ segments }) => {
        return layout([...Map.groupBy(segments, ({ baseline }) => baseline).values()], isLeftward, depth + 1);
      });
    }
    const tables = table.length > 1 ? [table] : tablesOf(lines);
    return tables.flatMap((each) => linesOfTable(each, isLeftward));
  });
}

/** Whether each cell was drawn as a whole. */
function isDrawnByCell({ cells }: Row): boolean {
  const drawn = cells.flatMap(({ segments }, cell) => segments.map(({ order }) => ({ cell, order })));
  const ordered = drawn.filter(({ order }) => order !== undefined).sort(byOrder);
  return ordered.filter(({ cell }, at) => cell !== ordered[at - 1]?.cell).length <= cells.length;
}

const byOrder = (one: { order?: number | undefined }, other: { order?: number | undefined }) =>
  (one.order ?? 0) - (other.order ?? 0);

/** Whether a table is columns of text: drawn one after the other, or lines that go on in the next line. */
function isColumns(table: readonly Row[], lines: readonly Row[]): boolean {
  if (lines.length <= aloneMax) return false;
  const segments = lines.flatMap(({ band }) => band.flat());
  if (segments.some(({ cell }) => cell !== undefined)) return false;
  const texts = segments.map(({ pieces }) => pieces.map(({ text }) => text).join(" "));
  const isShort = texts.join("").length < texts.length * 20;
  const isGrid = isShort && lines.filter(isWide).length > lines.length * 0.9;
  if (table.length === 1) return table.some(isWide) && !isGrid;
  if (isShort) return false;
  return rowOf(lines.flatMap(({ band }) => band)).cells.every(({ segments }) => {
    const going = segments.filter(({ pieces }) => /^[\p{Ll}\p{Lo}]/u.test(pieces[0]?.text ?? ""));
    return going.length > segments.length * 0.3;
  });
}

/** Cuts between two baselines if everything on one side of the cut was drawn before everything on the other. */
function bandsOf(baselines: Segment[][], depth: number): Segment[][][] {
  const changes = new Float64Array(baselines.length);
  const drawn = baselines.flatMap((segments, at) => segments.map(({ order }) => ({ at, order })));
  const ordered = drawn.filter(({ order }) => order !== undefined).sort(byOrder);
  ordered.forEach(({ at }, index) => {
    const before = ordered[index - 1]?.at ?? at;
    changes[Math.min(before, at)] = (changes[Math.min(before, at)] ?? 0) + 1;
    changes[Math.max(before, at)] = (changes[Math.max(before, at)] ?? 0) - 1;
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
  if (bands.length === 1 || depth === depthMax) return bands;
  return bands.flatMap((band) => (band.length > 1 ? bandsOf(band, depth + 1) : [band]));
}
