// The OpenAPI document of all endpoints, for `npm run openapi`, the build and the local server.
import { readFileSync } from "node:fs";
import { type OpenApi, openApi } from "../lib/openapi/document.ts";
import { endpoints } from "./deployables.ts";

export function apiDocument(): OpenApi {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return openApi(endpoints, { version });
}
