// The OpenAPI document of all endpoints, for `npm run openapi`, the build and the local server.
import { version } from "../cli/version.ts";
import { endpoints } from "../deployables.ts";
import { type OpenApi, openApi } from "./document.ts";
import type { Keys } from "./operation.ts";

interface Options {
  /** The origin of the service. Default: the local server's. */
  api?: string;
  /** Of a workspace in which the examples are to work as they stand, such as the demo's. */
  keys?: Keys;
}

export function apiDocument({ api = "http://127.0.0.1:8787", keys }: Options = {}): OpenApi {
  return openApi(endpoints, { version: version(), api, ...(keys && { keys }) });
}
