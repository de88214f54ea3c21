// The OpenAPI document of all endpoints: what `npm run openapi` prints, the build writes and the local server serves.
import { readFileSync } from "node:fs";
import { type OpenApi, openApi } from "../lib/openapi/document.ts";
import { endpoints } from "./deployables.ts";

export function apiDocument(): OpenApi {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return openApi(endpoints, { version });
}
