// The failure of a call to a path that no endpoint has (DECISIONS.md#unknown-paths-and-methods).
import { ApiError } from "../errors.ts";
import { nearest } from "./nearest.ts";

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

/** Compares without the version, which many leave out. A known path is suggested with the version that it has. */
function nearestPath(path: string): string | undefined {
  const withoutVersion = new Map(knownPaths.map((known) => [known.replace(/^\/v\d+/, ""), known]));
  const named = path.replace(/^\/+(?:api\/+)?(?:v\d+(?=\/))?\/*/i, "/").replace(/\/+$/, "");
  const all = [...withoutVersion.keys()];
  // Some paths have a longer beginning than one expects. The last two segments together are rarely those of another.
  const endsSo = /^\/[^/]+\/[^/]/.test(named) ? all.find((each) => each.endsWith(named.toLowerCase())) : undefined;
  const found = endsSo ?? nearest(named, all);
  return found === undefined ? undefined : withoutVersion.get(found);
}
