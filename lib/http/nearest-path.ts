// The path that the caller of an unknown one probably means (DECISIONS.md#unknown-paths-and-methods).
import { editsBetween, editsIfNear } from "./nearest.ts";

/** Longer paths are not compared. No known one has so many characters. */
const charactersMax = 200;

let knownPaths: readonly string[] = [];

/** Sets the paths that can be suggested. The bundle of the fallback calls it: no function imports the list of all. */
export function suggestPaths(paths: readonly string[]): void {
  knownPaths = paths;
}

/** Words that mean the same at the end of a path. Each entity has one of them, or each for something else. */
const actions = [
  ["add", "create", "insert", "new", "post", "send"],
  ["get", "list", "read", "fetch"],
  ["update", "edit", "set", "patch", "put"],
  ["delete", "remove", "revoke"],
];

/** First segments of many paths. A caller can think that another path has one too. */
const scopes = ["organizations", "workspace", "auth"];

/** Segments that say nothing without the one before them. */
const general = ["data", "config"];

/**
 * The known path that the caller probably means; undefined if none is near, or several are.
 *
 * The version is not compared, because many callers leave it out. The segments are compared one by one: a path with one
 * quite different segment belongs to another entity. A caller can leave out the first segments of a known path, or put a
 * scope before it.
 */
export function nearestPath(path: string): string | undefined {
  if (path.length > charactersMax) return undefined;
  const named = segmentsOf(path.replace(/^\/+(?:api\/+)?/i, "/"));
  const known = knownPaths.map((each) => ({ path: each, segments: segmentsOf(each) }));
  const { length } = named;
  if (length < 2) return undefined;
  const [first = "", ...rest] = named;
  const tails = known.flatMap(({ path, segments }) => {
    const tail = segments.slice(-length);
    return segments.length > length && !general.includes(tail[0] as string) ? [{ path, segments: tail }] : [];
  });
  const isScope = scopes.some((scope) => editsIfNear(first, scope) !== undefined);
  return fewestEdits(named, known) ?? fewestEdits(named, tails) ?? (isScope ? fewestEdits(rest, known) : undefined);
}

/** Without slashes at the ends, and without the version. */
const segmentsOf = (path: string): string[] =>
  path
    .toLowerCase()
    .replace(/^\/+(?:v\d+(?=\/))?\/*|\/+$/g, "")
    .split("/");

/** Undefined if no path is near, or two are equally near. */
function fewestEdits(named: readonly string[], known: readonly { path: string; segments: string[] }[]) {
  let [nearest, fewest]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const { path, segments } of known) {
    const edits = editsBetweenPaths(named, segments);
    if (edits === fewest) nearest = undefined;
    if (edits < fewest) [nearest, fewest] = [path, edits];
  }
  return nearest;
}

/** Infinite if one of the segments means something else. A word of the same meaning counts as one edit. */
function editsBetweenPaths(named: readonly string[], known: readonly string[]): number {
  if (named.length !== known.length) return Number.POSITIVE_INFINITY;
  return named.reduce((sum, segment, at) => sum + editsBetweenSegments(segment, known[at] as string), 0);
}

function editsBetweenSegments(named: string, known: string): number {
  if (actions.some((words) => words.includes(named) && words.includes(known))) return named === known ? 0 : 1;
  // Most of these words are too short for an edit in a name.
  const words = actions.flat();
  if (words.includes(known) && !words.includes(named) && editsBetween(named, known) === 1) return 1;
  return editsIfNear(named, known) ?? Number.POSITIVE_INFINITY;
}
