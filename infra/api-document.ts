// The OpenAPI document of all endpoints, for `npm run openapi`, the build and the local server.
import { readFileSync } from "node:fs";
import { type OpenApi, openApi } from "../lib/openapi/document.ts";
import type { Keys } from "../lib/openapi/operation.ts";
import { endpoints } from "./deployables.ts";

/** `keys`: of a workspace in which the examples are to work as they stand, such as the demo's. */
export function apiDocument(keys?: Keys): OpenApi {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return openApi(endpoints, { version, ...(keys && { keys }) });
}
