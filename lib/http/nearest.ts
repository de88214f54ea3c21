// Suggestions for mistyped names of fields and for mistyped paths. Nothing but names of the API itself is ever suggested.
import { ApiError } from "../errors.ts";

/** Longer texts are not compared: the time grows with the product of both lengths. */
const charactersMax = 200;
const pathEditsMax = 2;

let knownPaths: readonly string[] = [];

/** Sets the paths that can be suggested. The bundle of the fallback calls it: no function imports the list of all. */
export function suggestPaths(paths: readonly string[]): void {
  knownPaths = paths;
}

/**
 * The known name that a mistyped name probably means. Upper case and separators do not count. A character is wrong if
 * it differs, is missing, is one too many, or is exchanged with its neighbour. Fewer than a quarter of the characters
 * may be wrong. In a name of four characters, one may be wrong.
 */
export function nearest(mistyped: string, known: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[-_.\s]/g, "");
  const isNear = (edits: number, length: number) => edits < length / 4 || (edits === 1 && length === 4);
  return fewestEdits(mistyped, known, plain, isNear)[0];
}

/** The known path that differs in up to two characters, except the version; undefined if several are as near. */
export function nearestPath(path: string): string | undefined {
  const plain = (each: string) => each.toLowerCase().replace(/^\/+(?:v\d+(?=\/))?\/*|\/+$/g, "");
  const found = fewestEdits(path, knownPaths, plain, (edits) => edits <= pathEditsMax);
  return found.length === 1 ? found[0] : undefined;
}

/** The nearest of the known texts that are near. */
function fewestEdits(
  mistyped: string,
  known: readonly string[],
  plain: (text: string) => string,
  isNear: (edits: number, length: number) => boolean,
): string[] {
  if (mistyped.length > charactersMax) return [];
  const one = plain(mistyped);
  let [found, fewest]: [string[], number] = [[], Number.POSITIVE_INFINITY];
  for (const text of known) {
    if (text.length > charactersMax) continue;
    const other = plain(text);
    const length = Math.max(one.length, other.length);
    // The difference of the lengths is the least number of edits. It takes far less time than the distance.
    if (!isNear(Math.abs(one.length - other.length), length)) continue;
    const edits = editsBetween(one, other);
    if (edits > fewest || !isNear(edits, length)) continue;
    [found, fewest] = [edits < fewest ? [text] : [...found, text], edits];
  }
  return found;
}

/** The distance of Damerau and Levenshtein, in which each character takes part in one edit. */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isOther = one[row - 1] === other[column - 1] ? 0 : 1;
      const edit = Math.min(cell(last, column) + 1, cell(next, column - 1) + 1, cell(last, column - 1) + isOther);
      const isExchange = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(isExchange ? Math.min(edit, cell(before, column - 2) + 1) : edit);
    }
    [before, last] = [last, next];
  }
  return cell(last, other.length);
}

const cell = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;

/** The failure of a call to a path that no endpoint has. `meant`: the path that the caller probably means. */
export function unknownPath(meant: string | undefined): ApiError {
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new ApiError("NOT_FOUND", `No endpoint has this path.${hint}`);
}
