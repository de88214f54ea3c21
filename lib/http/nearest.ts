// Suggestions for mistyped names of fields and paths. Nothing but names of the API itself is ever suggested.

/**
 * Longer names are not compared, not even those that a client has sent: the time grows with the product of both
 * lengths.
 */
const charactersMax = 64;

/** A shortened word has so many characters: fewer can stand for many words. */
const shortenedMin = 3;

/**
 * The known name that a mistyped name probably means. Upper case and separators do not count. A character is wrong if it
 * is another one, is missing, is one too many, or is exchanged with its neighbour. Fewer than a quarter of the characters
 * may be wrong. In a name of four characters, one may be wrong. If no name is that near, words may be shortened: `orgId`
 * means `organizationId`.
 */
export function nearest(mistyped: string, known: readonly string[]): string | undefined {
  if (mistyped.length > charactersMax) return undefined;
  const compared = known.filter((name) => name.length <= charactersMax && !isContrary(mistyped, name));
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of compared) {
    const edits = editsIfNear(mistyped, name);
    if (edits !== undefined && edits < fewest) [best, fewest] = [name, edits];
  }
  return best ?? compared.find((name) => isShortened(mistyped, name) || isShortened(name, mistyped));
}

/**
 * How many characters of a mistyped name are wrong. Undefined if too many are, or if the two names are contraries, such
 * as `oldName` and `newName`, or `isEnabled` and `isNotEnabled`.
 */
export function editsIfNear(mistyped: string, name: string): number | undefined {
  if (Math.max(mistyped.length, name.length) > charactersMax) return undefined;
  const [one, other] = [plain(mistyped), plain(name)];
  if (one === other) return 0;
  if (isContrary(mistyped, name)) return undefined;
  const edits = editsBetween(one, other);
  const quarter = Math.max(one.length, other.length) / 4;
  return edits < quarter || (edits === 1 && quarter === 1) ? edits : undefined;
}

/** Of `read`, both `unread` and `reread` mean something else. */
const negations = "un dis de re in no non not never exclude except without skip ignore hide".split(" ");

/** In each line, a word means something else than the others, however near its characters are. */
const contraries = [
  "include exclude",
  "with without",
  "old new",
  "create update delete",
  "created updated deleted",
  "added removed",
  "before after",
  "min max",
  "start end",
  "started ended",
  "first last",
  "from to",
  "public private",
  "internal external",
].map((line) => line.split(" "));

function isContrary(mistyped: string, name: string): boolean {
  const [one, other] = [plain(mistyped), plain(name)];
  if (one === other) return false;
  if (negations.some((word) => without(one, word) === other || without(other, word) === one)) return true;
  const [words, known] = [wordsOf(mistyped), wordsOf(name)];
  return contraries.some((line) => {
    const [a, b] = [words, known].map((each) => line.filter((word) => each.includes(word)));
    return a?.length && b?.length && String(a) !== String(b);
  });
}

const without = (name: string, word: string) => name.replace(word, "");

function isShortened(shorter: string, name: string): boolean {
  const [short, whole] = [wordsOf(shorter), wordsOf(name)];
  const isBeginning = (word: string, at: number) =>
    word === whole[at] || (word.length >= shortenedMin && whole[at]?.startsWith(word));
  return short.length === whole.length && short.every(isBeginning);
}

/** Words begin with an upper-case letter, or follow a separator. */
const wordsOf = (name: string) => name.split(/[-_.\s]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());

const plain = (name: string) => name.toLowerCase().replace(/[-_.\s]/g, "");

/** The distance of Damerau and Levenshtein, in which each character takes part in one edit. */
export function editsBetween(one: string, other: string): number {
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
