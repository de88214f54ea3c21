// The failure of a call to a path that no endpoint has (DECISIONS.md#unknown-paths-and-methods).
import { ApiError } from "../errors.ts";
import { editsIfNear } from "./nearest.ts";

/** Longer paths are not compared. No known one has so many characters. */
const charactersMax = 200;

let knownPaths: readonly string[] = [];

/** Sets the paths that can be suggested. The bundle of the fallback calls it: no function imports the list of all. */
export function suggestPaths(paths: readonly string[]): void {
  knownPaths = paths;
}

/** `suggested`: the path that the caller probably means. Without it, the nearest known one. */
export function unknownPath(path: string, suggested = nearestPath(path)): ApiError {
  const hint = suggested === undefined ? "" : ` Did you mean ${suggested}?`;
  return new ApiError("NOT_FOUND", `No endpoint has this path.${hint}`);
}

/** Words that mean the same at the end of a path. Each entity has one of them, or each for something else. */
const actions = [
  ["add", "create", "insert", "new", "post", "send"],
  ["get", "list", "read", "fetch"],
  ["update", "edit", "set", "patch", "put"],
  ["delete", "remove", "revoke"],
];

/**
 * Compares without the version, which many leave out. Segments are compared one by one, since paths that differ in one
 * whole segment are those of other things. A path of several segments can lack the first segments of the known one, or
 * have one before it.
 */
function nearestPath(path: string): string | undefined {
  if (path.length > charactersMax) return undefined;
  const named = segmentsOf(path.replace(/^\/+(?:api\/+)?/i, "/"));
  const known = knownPaths.map((each) => ({ path: each, segments: segmentsOf(each) }));
  const { length } = named;
  if (length < 2) return undefined;
  const tails = known.flatMap(({ path, segments }) =>
    segments.length > length ? [{ path, segments: segments.slice(-length) }] : [],
  );
  return fewestEdits(named, known) ?? fewestEdits(named, tails) ?? fewestEdits(named.slice(1), known);
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
  return editsIfNear(named, known) ?? Number.POSITIVE_INFINITY;
}
