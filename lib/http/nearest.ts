// Suggestions for mistyped paths.
import { ApiError } from "../errors.ts";
import { fewestEdits } from "../schema/nearest.ts";

const pathEditsMax = 2;

let knownPaths: readonly string[] = [];

/** Sets the paths that can be suggested. The bundle of the fallback calls it: no function imports the list of all. */
export function suggestPaths(paths: readonly string[]): void {
  knownPaths = paths;
}

/** The known path that differs in up to two characters, except the version; undefined if several are as near. */
export function nearestPath(path: string): string | undefined {
  const plain = (each: string) => each.toLowerCase().replace(/^\/+(?:v\d+\/+)?|(?<!\/)\/+$/g, "");
  const found = fewestEdits(path, knownPaths, plain, (edits) => edits <= pathEditsMax);
  return found.length === 1 ? found[0] : undefined;
}

/** The failure of a call to a path that no endpoint has. `meant`: the path that the caller probably means. */
export function unknownPath(meant: string | undefined): ApiError {
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new ApiError("NOT_FOUND", `No endpoint has this path.${hint}`);
}
