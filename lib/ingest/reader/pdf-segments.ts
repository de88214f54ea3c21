// The segments of a page: pieces that stand side by side on one baseline, without a wide gap between them.
import { spread } from "./pdf-line.ts";
import { type Piece, wide } from "./pdf-pieces.ts";

export interface Segment extends Piece {
  pieces: Piece[];
  /** The number of its baseline on the page. */
  baseline: number;
}

/** Gaps in font sizes. A bullet can be further from its text. A gap of justified text is as wide as the next one. */
const certain = 1.2;
const afterBullet = 3;
const bullet = /^(?:[-–—*·•◦‣▪▫■□●○➤✓✔✗☐☑☒\uf000-\uf0ff]|\[[ x]\]|\(?(?:\p{L}|\p{N}{1,3})[.)])$/u;

/** The segments on each baseline, from the top of the page. */
export function segmentsOf(pieces: readonly Piece[]): Segment[][] {
  const baselines: Piece[][] = [];
  for (const piece of pieces.toSorted((one, other) => one.y - other.y)) {
    const first = baselines.at(-1)?.[0];
    if (first && piece.y - first.y <= Math.min(first.size, piece.size) * 0.35) baselines.at(-1)?.push(piece);
    else baselines.push([piece]);
  }
  return baselines.map((line, baseline) => {
    line.sort((one, other) => one.x - other.x);
    const gaps = [0, ...line.slice(1).map((piece, at) => gapOf(line[at] as Piece, piece))];
    const segments: Segment[] = [];
    line.forEach((piece, at) => {
      const [last, before, gap = 0] = [segments.at(-1), line[at - 1], gaps[at]];
      // Bold text can be drawn several times, each time a little further.
      if (last && before?.text === piece.text && piece.x <= (before.x + before.right) / 2) return;
      const isEven =
        gap < certain && [gaps[at - 1], gaps[at + 1]].some((each = 0) => Math.abs(each - gap) < gap * 0.03);
      const isApart = before?.cell !== piece.cell || (piece.cell === undefined && gap > wide && !isEven);
      if (!last || isApart) segments.push({ ...piece, baseline, pieces: [piece] });
      else extend(last, piece);
    });
    return segments;
  });
}

/** The gap between two pieces. Parts that the file names as one text have none. */
function gapOf(left: Piece, right: Piece): number {
  const isNext = left.tag !== undefined && left.tag === right.tag;
  const gap = (right.x - left.right) / Math.max(left.size, right.size);
  const isSpread = gap < certain && spread.test(left.text) && spread.test(right.text);
  return isNext || isSpread || (bullet.test(left.text) && gap < afterBullet) ? 0 : gap;
}

function extend(segment: Segment, piece: Piece): void {
  segment.pieces.push(piece);
  segment.right = Math.max(segment.right, piece.right);
  segment.size = Math.max(segment.size, piece.size);
  if (piece.order !== undefined) segment.order = Math.min(segment.order ?? piece.order, piece.order);
}

/** Whether the outline of the file says that two segments are in different rows. */
export const isOtherRow = (one: Piece | undefined, other: Piece | undefined) =>
  one?.line !== undefined && other?.line !== undefined && one.line !== other.line;
