// The known text that a mistyped one probably means. Nothing but names of the API itself is ever suggested.

/** Longer texts are not compared: the time grows with the product of both lengths. */
const charactersMax = 200;

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

/** The nearest of the known texts that are near. */
export function fewestEdits(
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
