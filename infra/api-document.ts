// The OpenAPI document of all endpoints, for `npm run openapi`, the build and the local server.
import { type OpenApi, openApi } from "../lib/openapi/document.ts";
import type { Keys } from "../lib/openapi/operation.ts";
import { endpoints } from "./deployables.ts";
import { version } from "./version.ts";

/** `keys`: of a workspace in which the examples are to work as they stand, such as the demo's. */
export function apiDocument(keys?: Keys): OpenApi {
  return openApi(endpoints, { version: version(), ...(keys && { keys }) });
}
