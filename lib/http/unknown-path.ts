import { ApiError } from "../errors.ts";

/** The failure of a call to a path that no endpoint has. `meant`: the path that the caller probably means. */
export function unknownPath(meant: string | undefined): ApiError {
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new ApiError("NOT_FOUND", `No endpoint has this path.${hint}`);
}
